"""Names as somebody would choose them who wants the page to run, load, hide or break something."""

PAYLOADS = [
    "<script>window.pwned={i}</script>",
    "</script><script>window.pwned={i}</script>",
    "<!--<script>window.pwned={i}",
    "--><svg onload=window.pwned={i}>",
    "<img src=x onerror=window.pwned={i}>",
    '"><img src=x onerror="window.pwned={i}">',
    "' onmouseover='window.pwned={i}",
    "javascript:window.pwned={i}",
    "<iframe srcdoc='<script>parent.pwned={i}</script>'>",
    "<style>*{{display:none}}</style>{i}",
    "</title></style></textarea><b>{i}",
    "${{window.pwned={i}}}",
    "{{{{constructor.constructor('window.pwned={i}')()}}}}",
    "]]><x>{i}",
    "&lt;script&gt;{i}&#x3c;",
    "\u202egnp.{i}",
    "\u2066\u2067\u200f{i}\u2069",
    "\u05e9\u05dc\u05d5\u05dd {i} \u0645\u0631\u062d\u0628\u0627",
    "a\u0000b\u0007\u001b[31m{i}\u007f",
    "line\nbreak\r\n\t{i}\u2028\u2029",
    "\u200b\u200c\u200d\ufeff{i}",
    "=cmd|' /C calc'!A{i}",
    "+1+{i}",
    "-2+{i}",
    '@SUM(1,"{i}")',
    'quote " comma , semicolon ; {i}',
    "back\\slash \\u003cscript\\u003e {i}",
    "__proto__",
    "constructor",
    "{i}\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 {i}",
    "url(https://example.org/{i})",
    "https://example.org/{i}",
    "@REPSC_REPORT_DATA@{i}",
    "%3Cscript%3E{i}%3C/script%3E",
    "\U000e0041\U000e0042{i}",
    "\ufff9x\ufffa{i}\ufffb",
]


def hostile_texts(count):
    texts = [PAYLOADS[i % len(PAYLOADS)].format(i=i) for i in range(count)]
    texts[-1] = ""
    texts[-2] = "   "
    texts[-3] = "W" * 5000
    return texts
