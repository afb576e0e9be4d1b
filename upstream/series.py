# SPDX-License-Identifier: GPL-2.0
"""A series of patches for a tree: git makes them of states of the files that they touch."""

import os
import shutil
import subprocess
import tempfile

# Dates are no part of a patch's content: the same sources make the same patches.
WHEN = "2026-01-01T00:00:00+0000"


class Lacking(Exception):
    """The tree lacks a file that a patch changes; the text says which."""


class Series:
    """Patches to a tree, of which only the files that they touch are copied."""

    def __init__(self, tree, author, files):
        self.scratch = tempfile.mkdtemp(prefix="upstream-")
        self.env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
        for role in ("AUTHOR", "COMMITTER"):
            self.env |= {f"GIT_{role}_NAME": author[0], f"GIT_{role}_EMAIL": author[1], f"GIT_{role}_DATE": WHEN}
        self.git("init", "-q", "-b", "base")
        for path in files:
            if not os.path.isfile(os.path.join(tree, path)):
                raise Lacking(f"{tree} has no {path}")
            self.write(path, self.original(tree, path))
        self.commit("base")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.scratch)

    @staticmethod
    def original(tree, path):
        """The text of a file of the tree."""
        with open(os.path.join(tree, path), encoding="utf-8") as file:
            return file.read()

    def git(self, *arguments):
        """Run git in the copy."""
        subprocess.run(["git", "-C", self.scratch, *arguments], check=True, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def read(self, path):
        """The text of a file as the patches so far have it."""
        return self.original(self.scratch, path)

    def write(self, path, text):
        """Set the text of a file."""
        path = os.path.join(self.scratch, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self, message):
        """Record all that was written."""
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "--signoff", "-m", message)

    def patch(self, message, files):
        """One patch: {path: its new text}."""
        for path, text in files.items():
            self.write(path, text)
        self.commit(message)

    def save(self, out, prefix, cover):
        """Write the patches and a cover letter, whose first line is the subject, into a folder."""
        subject, _, body = cover.partition("\n\n")
        self.git("format-patch", "-q", "--cover-letter", "--no-signature", f"--subject-prefix={prefix}", "-o", out, f"-{self.count()}")
        letter = os.path.join(out, "0000-cover-letter.patch")
        text = self.original("/", letter)
        with open(letter, "w", encoding="utf-8") as file:
            file.write(text.replace("*** SUBJECT HERE ***", subject).replace("*** BLURB HERE ***", body.strip()))

    def count(self):
        """Number of patches."""
        output = subprocess.run(["git", "-C", self.scratch, "rev-list", "--count", "HEAD"], check=True, env=self.env, capture_output=True, text=True)
        return int(output.stdout) - 1
