"""docs/update-claims: docs/claims.md and the numbers of docs/experiments.md are those of docs/claims.json."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

docs = pathlib.Path(__file__).parents[2] / "docs"


class UpdateClaims(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.docs = pathlib.Path(folder.name)
        for name in ("update-claims", "claims.json", "claims.md", "experiments.md"):
            shutil.copy(docs / name, self.docs / name)

    def run_script(self, *arguments):
        return subprocess.run(
            [sys.executable, self.docs / "update-claims", *arguments], capture_output=True, text=True, check=False
        )

    def change(self, name, old, new):
        path = self.docs / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))

    def assert_refused(self, part):
        result = self.run_script("--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn(part, result.stderr)

    def test_the_pages_say_what_the_file_says(self):
        result = self.run_script("--check")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_another_verdict_in_the_file_is_noticed(self):
        found = json.loads((self.docs / "claims.json").read_text())
        found["claims"][0]["holds"] = not found["claims"][0]["holds"]
        (self.docs / "claims.json").write_text(json.dumps(found))
        self.assert_refused("docs/claims.md")
        self.assertEqual(self.run_script().returncode, 0)
        self.assertEqual(self.run_script("--check").returncode, 0)

    def test_another_number_in_the_file_is_noticed_and_taken_over(self):
        found = json.loads((self.docs / "claims.json").read_text())
        for claim in found["claims"]:
            if (claim["id"], claim["family"], claim["reading"]) == ("fao-above-lots", "normalized", ""):
                for entry in claim["data"]:
                    entry["value"] = 0.4321
        (self.docs / "claims.json").write_text(json.dumps(found))
        self.assert_refused("docs/experiments.md")
        self.assertEqual(self.run_script().returncode, 0)
        self.assertIn("0.432<!--fao-above-lots:normalized; N = 210, K = 2", (self.docs / "experiments.md").read_text())

    def test_a_number_without_a_claim_is_refused(self):
        self.change("experiments.md", "\n### The toy example", "\nThe accuracy is 0.99.\n\n### The toy example")
        self.assert_refused("a number without its claim: The accuracy is 0.99.")

    def test_a_comment_that_names_no_number_is_refused(self):
        self.change("experiments.md", "<!--fao-above-lots:normalized; N = 210, K = 2", "<!--fao-above-lots:normalized; N = 210")
        self.assert_refused("names 4 numbers")
        self.change("experiments.md", "<!--fao-above-lots:normalized; N = 210;", "<!--no-claim:normalized; N = 210;")
        self.assert_refused("docs/claims.json has no claim no-claim:normalized")


if __name__ == "__main__":
    unittest.main()
