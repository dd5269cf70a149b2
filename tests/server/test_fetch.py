"""Downloads from a real HTTP server that interrupts, refuses and lies."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import sys
from collections.abc import Callable
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Event

import pytest
import requests

from graphmem.errors import ArtifactError
from graphmem.server.download import Source, download, open_source
from graphmem.server.fetch import fetch
from graphmem.server.lock import Artifact, Lock, Part, render
from graphmem.settings import Settings, load_settings
from tests.server.repository import Repository

PARTS = tuple(Part)
Serve = Callable[[Repository], ThreadingHTTPServer]


def begun(lock: Lock, artifact: Artifact, settings: Settings, content: bytes) -> Path:
    """Leave a file as an interrupted download does."""
    part = lock.path(artifact, settings.cache)
    part = part.with_name(part.name + ".part")
    part.parent.mkdir(parents=True, exist_ok=True)
    part.write_bytes(content)
    return part


def test_everything_is_fetched_once_and_then_found(mine: Settings, lock: Lock, repository: Repository) -> None:
    paths = fetch(mine, *PARTS, lock=lock)
    assert [path.read_bytes() for path in paths] == [repository.files[a.repository_path] for a in lock.artifacts]
    assert sorted(path for path, _ in repository.requests) == sorted(a.repository_path for a in lock.artifacts)
    assert fetch(mine, *PARTS, lock=lock) == paths
    assert len(repository.requests) == len(lock.artifacts)


def test_one_part_is_fetched_without_the_others(mine: Settings, lock: Lock, repository: Repository) -> None:
    (path,) = fetch(mine, Part.MODEL, lock=lock)
    assert path.name == "model-3.0-beta1.jar"
    assert len(repository.requests) == 1


def test_an_interrupted_download_goes_on_where_it_stopped(mine: Settings, lock: Lock, repository: Repository) -> None:
    kernel = lock.artifacts[0]
    whole = repository.files[kernel.repository_path]
    begun(lock, kernel, mine, whole[:1000])
    (path,) = fetch(mine, Part.SERVER, lock=lock)
    assert path.read_bytes() == whole
    assert repository.requests == [(kernel.repository_path, "bytes=1000-")]
    assert list(path.parent.iterdir()) == [path]


def test_a_connection_that_breaks_is_resumed(mine: Settings, lock: Lock, repository: Repository) -> None:
    kernel = lock.artifacts[0]
    repository.faults[kernel.repository_path] = ["drop"]
    (path,) = fetch(mine, Part.SERVER, lock=lock)
    assert path.read_bytes() == repository.files[kernel.repository_path]
    (_, first), (_, second) = repository.requests
    assert first is None
    assert second is not None
    assert 0 < int(second.removeprefix("bytes=").rstrip("-")) <= kernel.size // 2


def test_a_repository_without_ranges_is_read_from_the_start(mine: Settings, lock: Lock, repository: Repository) -> None:
    kernel = lock.artifacts[0]
    begun(lock, kernel, mine, repository.files[kernel.repository_path][:1000])
    repository.faults[kernel.repository_path] = ["whole"]
    (path,) = fetch(mine, Part.SERVER, lock=lock)
    assert path.read_bytes() == repository.files[kernel.repository_path]


@pytest.mark.parametrize("left", [b"damaged", b"x" * 600_000], ids=["shorter", "longer than the file"])
def test_damaged_remains_of_an_earlier_run_do_no_harm(
    mine: Settings, lock: Lock, repository: Repository, left: bytes
) -> None:
    kernel = lock.artifacts[0]
    begun(lock, kernel, mine, left)
    (path,) = fetch(mine, Part.SERVER, lock=lock)
    assert path.read_bytes() == repository.files[kernel.repository_path]


def test_a_busy_repository_is_asked_again(mine: Settings, lock: Lock, repository: Repository) -> None:
    model = lock.artifacts[2]
    repository.faults[model.repository_path] = [503]
    (path,) = fetch(mine, Part.MODEL, lock=lock)
    assert path.read_bytes() == repository.files[model.repository_path]
    assert len(repository.requests) == 2


def test_a_file_damaged_in_the_cache_is_fetched_again(mine: Settings, lock: Lock, repository: Repository) -> None:
    (path,) = fetch(mine, Part.MODEL, lock=lock)
    content = path.read_bytes()
    path.write_bytes(b"W" + content[1:])
    fetch(mine, Part.MODEL, lock=lock)
    assert path.read_bytes() == content


@pytest.mark.parametrize("fault", [[], ["unmeasured"]], ids=["with its length", "of unsaid length"])
@pytest.mark.parametrize("served", [b"w" * 63000, b"another length" * 9000], ids=["same size", "longer"])
def test_what_is_not_the_locked_file_is_refused_and_not_kept(
    mine: Settings, repository: Repository, served: bytes, fault: list[int | str]
) -> None:
    artifact = repository.publish(Part.MODEL, "org.example:model:3.0", b"weights" * 9000, served)
    repository.faults[artifact.repository_path] = fault
    lock = Lock((artifact,))
    with pytest.raises(ArtifactError, match=r"org\.example:model:3\.0 is not the locked file"):
        fetch(mine, Part.MODEL, lock=lock)
    assert list(lock.folder(Part.MODEL, mine.cache).iterdir()) == []


def test_one_bad_file_keeps_the_good_ones(mine: Settings, repository: Repository) -> None:
    good = repository.publish(Part.SERVER, "org.example:good:1", b"good" * 100_000)
    bad = repository.publish(Part.SERVER, "org.example:bad:1", b"bad", b"dab")
    lock = Lock((good, bad))
    with pytest.raises(ArtifactError, match=r"org\.example:bad:1"):
        fetch(mine, Part.SERVER, lock=lock)
    repository.files[bad.repository_path] = b"bad"
    assert len(fetch(mine, Part.SERVER, lock=lock)) == 2


def test_a_repository_that_lacks_it_is_named_without_its_password(
    lock: Lock, repository: Repository, mine: Settings
) -> None:
    secret = repository.url.replace("//", "//user:hunter2@")
    settings = load_settings(cache=mine.cache, server={"repository": secret})
    repository.files.clear()
    with pytest.raises(ArtifactError, match=r"kernel:1\.0 is refused.*127\.0\.0\.1.*status 404.*REPOSITORY") as caught:
        fetch(settings, Part.SERVER, lock=lock)
    assert "hunter2" not in str(caught.value)


def test_it_gives_up_after_some_attempts_and_says_why(lock: Lock, repository: Repository, tmp_path: Path) -> None:
    model = lock.artifacts[2]
    repository.faults[model.repository_path] = [503] * 100
    with requests.Session() as session:
        source = Source(session, (repository.url,), Event(), pause=0.0)
        with pytest.raises(ArtifactError, match=r"in 6 attempts \(the last: status 503\)"):
            download(source, model, tmp_path / "model.jar", lambda name, position: None)
    assert len(repository.requests) == 6


def test_the_next_repository_is_asked_for_what_the_first_lacks(
    lock: Lock, repository: Repository, serve: Serve, tmp_path: Path
) -> None:
    empty = Repository()
    serve(empty)
    model, target = lock.artifacts[2], tmp_path / "model.jar"
    with open_source((empty.url, repository.url), 1) as source:
        download(source, model, target, lambda name, position: None)
    assert target.read_bytes() == repository.files[model.repository_path]
    assert len(empty.requests) == 1


def test_nobody_at_the_address_is_one_clear_error(lock: Lock, tmp_path: Path) -> None:
    with requests.Session() as session:
        source = Source(session, ("http://127.0.0.1:9",), Event(), pause=0.0)
        with pytest.raises(ArtifactError, match=r"attempts.*ConnectionError.*check the network"):
            download(source, lock.artifacts[2], tmp_path / "model.jar", lambda name, position: None)


def test_two_processes_share_one_download(mine: Settings, repository: Repository, tmp_path: Path) -> None:
    lock = Lock(
        tuple(repository.publish(Part.SERVER, f"org.example:jar{n}:1", bytes([n]) * 300_000) for n in range(20))
    )
    text = tmp_path / "lock"
    text.write_text(render(lock), "utf-8")
    code = (
        "import sys; from pathlib import Path; from graphmem.settings import load_settings;"
        "from graphmem.server.fetch import fetch; from graphmem.server.lock import Part, parse;"
        "settings = load_settings(cache=Path(sys.argv[1]), server={'repository': sys.argv[2]});"
        "print(len(fetch(settings, Part.SERVER, lock=parse(Path(sys.argv[3]).read_text()))))"
    )
    command = [sys.executable, "-c", code, str(mine.cache), repository.url, str(text)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    assert [process.communicate(timeout=60)[0].strip() for process in processes] == [b"20", b"20"]
    assert len(repository.requests) == len(lock.artifacts)


def test_the_proxy_of_the_environment_is_used(
    lock: Lock, repository: Repository, mine: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{repository.port}")
    monkeypatch.setenv("no_proxy", "")
    settings = load_settings(cache=mine.cache, server={"repository": "http://repository.invalid/maven/mirror"})
    assert len(fetch(settings, *PARTS, lock=lock)) == len(lock.artifacts)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"])
def test_the_certificates_of_the_environment_are_trusted(
    lock: Lock, serve: Serve, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    name = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(["openssl", "req", "-x509", *curve, *name, *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    secure = Repository(files=repository.files)
    server = serve(secure)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    url = secure.url.replace("http:", "https:")
    for other in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(variable, str(certificate))
    settings = load_settings(cache=tmp_path / "cache", server={"repository": url})
    assert len(fetch(settings, Part.MODEL, lock=lock)) == 1


def test_progress_is_quiet_lines_on_standard_error(
    mine: Settings, lock: Lock, capsys: pytest.CaptureFixture[str]
) -> None:
    fetch(mine, Part.MODEL, lock=lock)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines() == ["downloading embedding model: 0 MB", "downloading embedding model: done"]
