"""A venue for the tests of a bot: started once, and for each test what it was at first. `bourse` is found in PATH, or named by BOURSE."""
import hashlib
import hmac
import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import urllib.request

import pytest

START = "start --port 0 --admin-port 0 --start-time 2026-01-01T00:00:00Z --frozen --makers off --limits off --past 0"


class Venue:
    def __init__(self, folder, url, admin_url):
        self.folder, self.url, self.admin_url = folder, url, admin_url
        self.accounts = {each["name"]: each for each in json.loads((folder / "dev-accounts.json").read_text())}
        self.token = (folder / "admin-token").read_text().strip()

    def ask(self, method, path, body=None, account=None):
        """A call of the API, signed when an account is named. Returns the answer: code, message, data."""
        text = "" if body is None else json.dumps(body)
        headers = {"Content-Type": "application/json"}
        if account is not None:
            key, now = self.accounts[account], str(self.time())
            signed = hmac.new(key["secret_key"].encode(), (method + path + text + now).encode(), hashlib.sha256)
            headers |= {"X-COINEX-KEY": key["access_id"], "X-COINEX-SIGN": signed.hexdigest(), "X-COINEX-TIMESTAMP": now}
        return self._send(method, self.url + path, text, headers)

    def time(self):
        return self.ask("GET", "/v2/time")["data"]["timestamp"]

    def operator(self, method, path, body=None):
        """A call of the operator, who may do what no client may: move the clock, say the price of an index."""
        headers = {"Content-Type": "application/json", "Authorization": "Bearer " + self.token}
        return self._send(method, self.admin_url + path, "" if body is None else json.dumps(body), headers)

    def _send(self, method, url, text, headers):
        request = urllib.request.Request(url, data=text.encode() or None, headers=headers, method=method)
        with urllib.request.urlopen(request) as response:
            return json.load(response)


@pytest.fixture(scope="session")
def started_venue():
    with tempfile.TemporaryDirectory() as folder:
        command = [*shlex.split(os.environ.get("BOURSE", "bourse")), *START.split(), "--data", folder]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            words = process.stdout.readline().split()
            assert words[:2] == ["bourse", "ready"], "The venue did not start; run the command by hand to see why."
            yield Venue(pathlib.Path(folder), words[2], words[4])
        finally:
            process.terminate()
            process.wait()


@pytest.fixture
def venue(started_venue):
    """The venue as it was at first: nothing traded, nobody's orders."""
    assert started_venue.operator("POST", "/admin/reset", {})["code"] == 0
    return started_venue
