// Provenance: what made this report, from which files, and how to make it again.
import type { Report } from './data';
import { h, save, scrolling, section, table, type Child } from './dom';
import { count, known, visible } from './words';

function words(name: string): string {
  const text = visible(name).replace(/_/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function value(item: unknown): string {
  if (item === null || item === undefined) return '–';
  return visible(typeof item === 'object' ? JSON.stringify(item) : String(item));
}

/** A table of names and values; none if there are none. */
function pairs(title: string, rows: [string, Child][]): Child {
  if (rows.length === 0) return null;
  return h(
    'div',
    {},
    h('h3', {}, title),
    h('table', { class: 'pairs' }, h('tbody', {}, ...rows.map(([name, item]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, item))))),
  );
}

function texts(title: string, items: Child[][], none: string): HTMLElement {
  return h(
    'div',
    {},
    h('h3', {}, title),
    items.length === 0 ? h('p', {}, none) : h('ul', {}, ...items.map((parts) => h('li', {}, ...parts))),
  );
}

function files(report: Report): HTMLElement {
  const heads = ['Role', 'Name', 'Bytes', 'SHA-256'];
  const rows = report.data.provenance.files.map(({ role, name, bytes, sha256 }) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, visible(role)),
      h('td', {}, h('bdi', {}, visible(name))),
      h('td', { class: 'number' }, count(bytes)),
      h('td', {}, h('code', { class: 'hash' }, visible(sha256))),
    ),
  );
  return h(
    'div',
    {},
    h('h3', {}, 'Input files'),
    scrolling(
      'Input files',
      table(heads, rows, 'files'),
    ),
  );
}

function command(text: string): HTMLElement {
  const block = h('code', {}, visible(text));
  const done = h('span', { role: 'status', class: 'note' });
  const copy = (): void => {
    // From file:// the clipboard may be refused: the command is selected then, to be copied by hand.
    const select = (): void => {
      getSelection()?.selectAllChildren(block);
      done.textContent = 'The command is selected.';
    };
    if (!navigator.clipboard) select();
    else navigator.clipboard.writeText(text).then(() => (done.textContent = 'Copied.'), select);
  };
  return h(
    'div',
    {},
    h('h3', {}, 'Command that makes this report again'),
    h('pre', { tabindex: 0, 'aria-label': 'Command' }, block),
    h('p', { class: 'controls' }, h('button', { type: 'button', click: copy }, 'Copy the command'), done),
  );
}

export function provenance(report: Report): HTMLElement {
  const from = report.data.provenance;
  const general: [string, Child][] = [
    ['Version', `repsc ${visible(from.version)}`],
    ['Made', h('time', {}, visible(from.made))],
    ['Method', visible(from.method)],
    ['Seed', value(from.seed)],
  ];
  return section(
    'provenance',
    'Provenance',
    pairs('How it was made', general),
    texts('Why this method ran', from.why.map((line) => [visible(line)]), 'Nothing was chosen automatically.'),
    command(from.command),
    files(report),
    h(
      'div',
      { class: 'side' },
      pairs('Sizes', Object.entries(from.sizes).map(([name, size]) => [words(name), count(size)])),
      pairs('Options', Object.entries(from.options).map(([name, option]) => [visible(name), value(option)])),
      pairs('Time', Object.entries(from.seconds).map(([name, time]) => [words(name), known(time) ? `${Number(time.toPrecision(2))} s` : '–'])),
    ),
    texts('Changes while reading', from.changes.map((line) => [visible(line)]), 'Nothing was dropped or changed while reading.'),
    texts('Warnings', from.warnings.map(({ code, message }) => [h('code', {}, visible(code)), `: ${visible(message)}`]), 'There are no warnings.'),
    h(
      'p',
      { class: 'controls' },
      h('button', { type: 'button', id: 'json', click: () => save('report.json', 'application/json', report.text) }, 'Save the data of this page as JSON'),
    ),
  );
}
