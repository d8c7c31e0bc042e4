"""Which suites there are, where their cases stand, and how their workspace is made ready."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from dataagent.errors import ShownError
from dataagent.management import preparing
from dataagent.warehouse.pool import warehouse_for
from dataagent.warehouse.port import WarehouseFault
from evals.cases import CaseError, load_suite
from evals.questions import suite_of_questions
from evals.types import Suite, SuiteInfo
from fixtures.acme import workspace as acme

Progress = Callable[[str], None]
CASES = Path(settings.BASE_DIR) / "fixtures" / "cases"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSource:
    """A suite by name: the workspace it asks in and the file of its cases."""

    name: str
    workspace: str
    path: Path
    description: str
    public: bool = False
    """Whether the file lies outside the project and may be absent."""


def sources() -> tuple[SuiteSource, ...]:
    """All known suites: the project's own case files, then the public ones."""
    own = tuple(_own(path) for path in own_files())
    return (
        *own,
        SuiteSource(
            name="acme",
            workspace="acme",
            path=Path(settings.SUITES) / "acme" / "questions.json",
            description="An insurance company's 11 public questions.",
            public=True,
        ),
        SuiteSource(
            name="acme_twin",
            workspace="acme_twin",
            path=Path(settings.SUITES) / "acme_twin" / "questions.json",
            description="The same questions on a scaled twin on which every wrong join shows.",
            public=True,
        ),
    )


def own_files() -> tuple[Path, ...]:
    """The project's own case files, by name."""
    return tuple(sorted(CASES.glob("*.yaml")))


def source(name: str) -> SuiteSource:
    """The suite's source.  Raises: ShownError(not_found) with the names that exist."""
    known = sources()
    found = next((s for s in known if s.name == name), None)
    if found is None:
        names = ", ".join(s.name for s in known)
        raise ShownError("not_found", f'There is no suite "{name}".', action=f"Choose one of: {names}.")
    return found


def info(found: SuiteSource) -> SuiteInfo:
    """The suite as listed.  One that cannot run here says why."""
    if not found.path.is_file():
        return SuiteInfo(
            name=found.name,
            description=found.description,
            cases=0,
            available=False,
            reason="Its data are not on this machine.",
        )
    try:
        cases = len(_parsed(found.path, found, {}).cases)
    except ShownError as error:
        return SuiteInfo(name=found.name, description=found.description, cases=0, available=False, reason=error.message)
    return SuiteInfo(name=found.name, description=found.description, cases=cases, available=True)


def read(found: SuiteSource, questions: Path | None = None) -> Suite:
    """The suite's cases, or those of another question file of the same form.

    Raises: ShownError(invalid_input) with the complaints, ShownError(not_found) for a missing file.
    """
    path = questions or found.path
    if not path.is_file():
        raise ShownError("not_found", f"There is no file {path.name}.")
    return _parsed(path, found, _tables(found.workspace) if path.suffix == ".json" else {})


def _parsed(path: Path, found: SuiteSource, tables: Mapping[str, str]) -> Suite:
    try:
        if path.suffix == ".json":
            text = path.read_text(encoding="utf-8")
            return suite_of_questions(text, name=found.name, workspace=found.workspace, tables=tables)
        return load_suite(path)
    except CaseError as error:
        raise ShownError("invalid_input", "\n".join(error.complaints)) from error
    except UnicodeDecodeError as error:
        raise ShownError("invalid_input", f"{path.name} is not UTF-8 text.") from error


def prepare(found: SuiteSource, progress: Progress) -> None:
    """Nothing; afterwards the suite's workspace can be asked.  Raises: ShownError where it cannot be made."""
    preparing.prepare_database(progress)
    if found.public:
        acme.prepare(Path(settings.SUITES), twin=found.workspace == "acme_twin", progress=progress)
    elif not preparing.is_prepared(found.workspace):
        preparing.prepare_demo(progress)


def _tables(workspace: str) -> dict[str, str]:
    """Qualified names of the workspace's raw tables by their lower-case bare names."""
    try:
        names = [table.name for table in warehouse_for(workspace).schema()]
    except WarehouseFault as error:
        raise ShownError("unavailable", "This suite's data are not loaded yet.") from error
    return {name.partition(".")[2].lower(): name for name in names if name.startswith("raw.")}


def _own(path: Path) -> SuiteSource:
    try:
        suite = load_suite(path)
    except CaseError as error:
        return SuiteSource(name=path.stem, workspace=path.stem, path=path, description=error.complaints[0])
    return SuiteSource(name=suite.name, workspace=suite.workspace, path=path, description=suite.description)
