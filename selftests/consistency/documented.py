# SPDX-License-Identifier: GPL-2.0
"""Where a program is documented: its page, help, error messages, completion and version. For the tests of all programs."""

import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][A-Za-z-]*")
COMPLETE = r"""
. "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
$(complete -p "$1" | sed 's/.*-F \([^ ]*\).*/\1/')
printf '%s\n' "${COMPREPLY[@]}"
"""


def finish(*arguments, **more):
    """The outcome of a command that reads nothing."""
    return subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, **more)


def clean(tap, path):
    """A page in which man and groff find nothing, of plain ASCII. Return: its source."""
    name = os.path.basename(path)
    env = {**os.environ, "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"}
    for what, command in (("man --warnings", ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path]),
                          ("groff -ww", ["groff", "-t", "-man", "-ww", "-z", "-Kutf8", path])):
        done = finish(*command, env=env)
        tap.ok(f"{name}: {what} finds nothing", not done.returncode and not done.stderr, done.stderr)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    odd = [line for line in text.splitlines() if not re.fullmatch(r"[ -~\t]*", line)]
    tap.ok(f"{name}: its source is plain ASCII", text and not odd, odd)
    return text


def options(text):
    """Each that a text names."""
    return set(OPTION.findall(text))


def tags(page):
    """Each that has a paragraph of its own in a page."""
    return options("\n".join(page.entries("OPTIONS")))


def complete(script, line, **more):
    """Completions of the last argument of a command line by bash, with a file of completions."""
    arguments = line.split() + ([""] if line.endswith(" ") else [])
    return sorted(finish("bash", "--norc", "-c", COMPLETE, "bash", script, *arguments, **more).stdout.split())


def same_options(tap, program, **places):
    """Everywhere the same, and some."""
    first = next(iter(places.values()))
    tap.ok(f"{program}: options are the same in {', '.join(places)}", len(first) > 1 and all(each == first for each in places.values()), places)


def full(tap, program, commands, **more):
    """Output that finds no space: one line that says so, and status 1."""
    for arguments in commands:
        with open("/dev/full", "w", encoding="ascii") as device:
            done = subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=device, stderr=subprocess.PIPE, text=True, check=False, **more)
        tap.ok(f"{program} {' '.join(arguments).partition(program)[2].partition(' ')[2]} into a full device: a line and a status",
               done.returncode == 1 and re.fullmatch(f"{program}: .*No space left on device\n", done.stderr), (done.returncode, done.stderr))


def version(tap, program, *command, arguments=("-V", "--version")):
    """It is that of the packages."""
    with open(os.path.join(ROOT, "debian/changelog"), encoding="utf-8") as file:
        want = re.match(r"sharpramp \((.*)\)", file.readline()).group(1)
    for argument in arguments:
        done = finish(*command, argument)
        tap.ok(f"{program} {argument}: that of the packages", not done.returncode and done.stdout == f"{program} (sharpramp) {want}\n",
               done.stdout + done.stderr)
