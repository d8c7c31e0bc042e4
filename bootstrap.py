"""Sets everything up on a machine with only Python and git, then runs or tests the product.

Standard library only.  The file stays readable for any old Python, so that an old
one ends in a sentence and not in a traceback: no annotations, no f-strings.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
STAMP = os.path.join(VENV, "installed.json")
LOCKS = {"run": "base", "test": "dev"}
NEEDED = (3, 11)
NEEDED_BYTES = 2 * 1024**3
NAMES = ("python3.13", "python3.12", "python3.11", "python3")
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_PACKAGES = ("chromium", "fonts-dejavu-core")
CHECKS = (
    ("Lint", ("ruff", "check", ".")),
    ("Format", ("ruff", "format", "--check", ".")),
    ("Types", ("mypy",)),
    ("Import contracts", ("lint-imports",)),
    ("Migrations", ("python", "manage.py", "makemigrations", "--check", "--dry-run")),
    ("Templates", ("djlint", "frontend", "--lint", "--quiet")),
)
TESTS = ("pytest", "-n", "2", "--dist", "loadgroup")


class Problem(Exception):
    """Something that a person must put right; its text is one sentence for them."""


def old_python_message(found):
    """The sentence for a Python that is too old; `found` is its version as a tuple."""
    return "Python 3.11 or newer is needed, and this is {}.{}. Install one (python.org, or your system's packages) and run again.".format(
        found[0], found[1]
    )


def disk_message(free_bytes):
    """The sentence for a disk without room, or nothing where there is enough."""
    if free_bytes >= NEEDED_BYTES:
        return ""
    return "The disk is full: {:.1f} GB are free and {:.0f} GB are needed. Free some space and run again.".format(
        free_bytes / 1024.0**3, NEEDED_BYTES / 1024.0**3
    )


def venv_message(has_venv, has_pip):
    """The sentence for a Python without its venv module, or nothing where it has all of it."""
    if has_venv and has_pip:
        return ""
    return "This Python has no complete venv module. Install it (Debian: apt-get install python3-venv) and run again."


def install_message(output):
    """The sentence for a failed installation, from what pip said."""
    signs = (
        ("No space left on device", "The disk ran full while installing. Free some space and run again."),
        (
            "DO NOT MATCH THE HASHES",
            "A downloaded package is not the one that the lock file names; nothing was installed.",
        ),
        ("NameResolutionError", "The packages could not be fetched: there is no network. Connect and run again."),
        ("ProxyError", "The packages could not be fetched: the proxy does not answer. Check it and run again."),
        ("NewConnectionError", "The packages could not be fetched: there is no network. Connect and run again."),
        ("Name or service not known", "The packages could not be fetched: there is no network. Connect and run again."),
        ("name resolution", "The packages could not be fetched: there is no network. Connect and run again."),
        ("timed out", "The packages could not be fetched: the network does not answer. Try again."),
        (
            "No matching distribution",
            "A package of the lock file could not be found for this Python; is the package index reachable?",
        ),
    )
    for sign, sentence in signs:
        if sign in output:
            return sentence
    return "Installing the packages failed. The last words of pip were: {}".format(" / ".join(output.split("\n")[-4:]))


def pins(lock_text):
    """The pinned packages of a lock file, as a set of name==version."""
    return set(re.findall(r"^([A-Za-z0-9._-]+==[^\s;\\]+)", lock_text, re.MULTILINE))


def is_installed(stamp, name, texts):
    """Whether the stamp says that this lock is installed, by itself or inside the larger one.

    `stamp` maps lock names to digests, `texts` maps them to the present lock files.
    """
    for lock in (name, "dev"):
        if stamp.get(lock) == digest(texts[lock]) and pins(texts[name]) <= pins(texts[lock]):
            return True
    return False


def digest(text):
    """The SHA-256 of a lock file together with the Python that it is installed for."""
    whole = "{}.{}\n{}".format(sys.version_info[0], sys.version_info[1], text)
    return hashlib.sha256(whole.encode("utf-8")).hexdigest()


def newer_python():
    """The path of a Python that is new enough, or None."""
    for name in NAMES:
        path = shutil.which(name)
        if path and _works(path):
            return path
    return None


def _works(path):
    code = "import sys; sys.exit(sys.version_info < {!r})".format(NEEDED)
    try:
        return subprocess.call([path, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def read_locks():
    """The lock files by name."""
    texts = {}
    for name in LOCKS.values():
        with open(os.path.join(ROOT, "requirements", name + ".lock"), encoding="utf-8") as file:
            texts[name] = file.read()
    return texts


def read_stamp():
    """What is installed, as written by the last installation; empty when nothing is."""
    try:
        with open(STAMP, encoding="utf-8") as file:
            stamp = json.load(file)
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) and os.path.exists(tool("python")) else {}


def tool(name):
    """The path of a program inside the virtual environment."""
    folder = "Scripts" if os.name == "nt" else "bin"
    return os.path.join(VENV, folder, name)


def set_up(lock):
    """Make the virtual environment and install one lock file, unless that has been done."""
    texts = read_locks()
    stamp = read_stamp()
    if is_installed(stamp, lock, texts):
        return
    check_machine()
    if not os.path.exists(tool("python")) or not stamp:
        say("Making a virtual environment in .venv")
        if subprocess.call([sys.executable, "-m", "venv", VENV]) != 0:
            raise Problem(venv_message(False, False))
    install(lock, len(pins(texts[lock])))
    stamp[lock] = digest(texts[lock])
    with open(STAMP, "w", encoding="utf-8") as file:
        json.dump(stamp, file)


def check_machine():
    """Stop here where the installation could not work."""
    from importlib.util import find_spec

    problem = disk_message(shutil.disk_usage(ROOT).free) or venv_message(
        find_spec("venv") is not None, find_spec("ensurepip") is not None
    )
    if problem:
        raise Problem(problem)


def install(lock, total):
    """Install exactly what the lock file names, showing progress."""
    say("Installing {} packages (about a minute, this once)".format(total))
    command = [tool("python"), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--retries", "2"]
    command += ["--timeout", "20", "--require-hashes", "-r", os.path.join(ROOT, "requirements", lock + ".lock")]
    lines = []
    done = 0
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, cwd=ROOT
    )
    for line in process.stdout:
        lines.append(line.rstrip())
        found = re.match(r"(?:Collecting|Requirement already satisfied:) ([^\s=<>!~;\[]+)", line)
        if found:
            done += 1
            show("  {:>3} of {}  {}".format(min(done, total), total, found.group(1)))
        elif line.startswith("Installing collected"):
            show("  unpacking")
    show("")
    if process.wait() != 0:
        raise Problem(install_message("\n".join(lines)))


def say(text):
    """A line for the person."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def show(text):
    """A line of progress: replaced by the next one on a terminal, left out where there is none."""
    if sys.stdout.isatty():
        sys.stdout.write("\r\033[K" + text)
        sys.stdout.flush()


def heading(text):
    """The heading over a check."""
    say("\n== " + text)


def provide_chromium():
    """Install a browser for the browser tests where that is possible; say what is missing where it is not."""
    if any(shutil.which(name) for name in CHROMIUMS):
        return
    heading("Browser")
    may_install = hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get")
    if may_install:
        say("Installing {}".format(" and ".join(CHROMIUM_PACKAGES)))
        environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        quiet = {"stdout": subprocess.DEVNULL, "env": environment}
        subprocess.call(["apt-get", "update", "-qq"], **quiet)
        subprocess.call(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends"] + list(CHROMIUM_PACKAGES), **quiet
        )
    if not any(shutil.which(name) for name in CHROMIUMS):
        say(
            "Chromium is missing, so the browser tests will be skipped. "
            "Install it (Debian: apt-get install {}) and run again.".format(" ".join(CHROMIUM_PACKAGES))
        )


def run_check(command):
    """Whether one check passes; what it prints is shown."""
    return subprocess.call([tool(command[0])] + list(command[1:]), cwd=ROOT) == 0


def run_tests(arguments):
    """The exit status of the tests and their closing line."""
    command = [tool(TESTS[0])] + list(TESTS[1:]) + arguments
    if sys.stdout.isatty():
        command.append("--color=yes")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
    closing = b""
    pipe = process.stdout
    for chunk in iter(lambda: pipe.read1(4096), b""):
        sys.stdout.buffer.write(chunk)
        sys.stdout.flush()
        closing = (closing + chunk)[-2000:]
    lines = [line for line in closing.decode("utf-8", "replace").split("\n") if line.strip()]
    return process.wait(), lines[-1] if lines else ""


def test(arguments):
    """Everything that continuous integration runs; the exit status is 0 when all of it passes."""
    set_up("dev")
    provide_chromium()
    failed = []
    for name, command in CHECKS:
        heading(name)
        if not run_check(command):
            failed.append(name.lower())
    heading("Tests")
    status, closing = run_tests(arguments)
    if failed:
        say("\nThese checks failed: {}. The tests' own result:\n{}".format(", ".join(failed), closing))
    return status or (1 if failed else 0)


def run(arguments):
    """Become the product with the demo company; does not return."""
    set_up("base")
    python = tool("python")
    os.chdir(ROOT)
    os.execv(python, [python, "manage.py", "serve", "--demo"] + arguments)


def main(arguments):
    """The exit status of `run`, `test` or `setup`."""
    command = arguments[0] if arguments else "run"
    if sys.version_info < NEEDED:
        newer = newer_python() if hasattr(shutil, "which") else None
        if newer is None:
            sys.stderr.write(old_python_message(sys.version_info) + "\n")
            return 1
        os.execv(newer, [newer, os.path.join(ROOT, "bootstrap.py")] + arguments)
    if command not in ("run", "test", "setup"):
        sys.stderr.write("Say run, test or setup.\n")
        return 2
    try:
        if command == "setup":
            return set_up("dev") or 0
        return run(arguments[1:]) if command == "run" else test(arguments[1:])
    except Problem as problem:
        sys.stderr.write("\n{}\n".format(problem))
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
