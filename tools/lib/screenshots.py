"""Takes the pictures of docs/inspector.md: the inspector page over a gateway with some traffic."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
from browser import Driver, until  # noqa: E402
from simulator import Gateway  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
IMAGES = ROOT / "docs/images"
CONNECTED = "document.getElementById('connection')?.dataset.state === 'connected'"
TOPIC = "com.example.agent"
MOST_BYTES = 150_000
PHONES = ["4f1c9a7e52d80b36" * 4, "a90be1d7703c5f42" * 4, "7cd2580fe6914ab3" * 4]


def push(phone, payload, kind="alert", priority=10, topic=TOPIC, **headers):
    return {
        "token": PHONES[phone], "apns-topic": topic, "apns-push-type": kind, "apns-priority": priority,
        "payload": payload, **headers,
    }  # fmt: skip


def alert(phone, title, body, **headers):
    return push(phone, {"aps": {"alert": {"title": title, "body": body}, "sound": "default"}}, **headers)


def hint(phone, record):
    payload = {"aps": {"content-available": 1}, "type": "ACCOUNT_UPDATE", "accountId": record}
    return push(phone, payload, kind="background", priority=5)


SPOILT = push(
    1, {"aps": {"alert": {"title": "Visit moved", "body": "Now at 14:30"}, "mutable-content": "1", "badge": "3"},
        "visit": {"id": "a07000000000007", "seats": 4}},
    **{"apns-collapse-id": "visit-7"},
)  # fmt: skip


def traffic(gateway):
    """Sends for some seconds; a few sends fail."""
    stranger = alert(0, "Hello", "Is anybody there?")
    stranger["token"] = "00ff" * 16
    wrong = push(0, {"aps": {"content-available": 1}}, kind="background", priority=10)
    gateway.call("POST", "/api/faults", {"effect": {"disconnect": True}, "match": {"push-type": "voip"}, "count": 2})
    sizes = [3, 5, 4, 8, 12, 9, 14, 11, 7, 10, 16, 12, 8, 5, 9]
    for second, size in enumerate(sizes):
        batch = [hint(number % 3, f"00100000000{second:02}{number:02}AAA") for number in range(size)]
        if second % 3 == 1:
            batch += [wrong, stranger]
        began = time.monotonic()
        gateway.send(*batch)
        until(lambda began=began: time.monotonic() - began > 1, "the next second")
    call = push(2, {"aps": {}, "caller": "Jane"}, kind="voip", topic=TOPIC + ".voip")
    gateway.call("POST", "/api/notifications", call)
    gateway.send(
        alert(0, "New lead", "Acme Corp. asks for a call back before noon"),
        hint(1, "001000000000001AAA"),
        alert(1, "Opportunity won", "Northwind signed: 24 seats"),
        wrong,
        SPOILT,
        alert(2, "Task due", "Send the offer to Contoso"),
        alert(0, "Meeting in 10 minutes", "Room 4, with the Fabrikam team", **{"apns-collapse-id": "meeting"}),
    )


def take(page, name):
    for scheme in ("light", "dark"):
        page.media(scheme=scheme)
        page.run("document.activeElement?.blur()")
        path = IMAGES / f"inspector-{name}-{scheme}.png"
        page.screenshot(path)
        subprocess.run(["pngquant", "--force", "--ext=.png", "--speed=1", "--quality=80-98", path], check=True)
        size = path.stat().st_size
        print(f"{path.relative_to(ROOT)}: {size:,} bytes")
        if size > MOST_BYTES:
            raise SystemExit(f"{path} has more than {MOST_BYTES:,} bytes")
    page.media()


def show(page, gateway, view):
    page.open(f"{gateway.control}/#/{view}")
    page.until(CONNECTED)
    page.until(f"!document.getElementById('view-{view.split('/')[0]}').hidden")
    page.until("document.querySelectorAll('.toast').length === 0")


def main():
    binary = Path(sys.argv[1])
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Driver() as driver, Gateway(binary, Path(folder)) as gateway:
        for phone in PHONES:
            gateway.call("POST", "/api/devices", {"topic": TOPIC, "token": phone})
        with driver.page(width=1440, height=860) as page:
            show(page, gateway, "devices")
            page.until("document.querySelectorAll('.device').length === 3")
            page.run("for (const box of document.querySelectorAll('.switch:last-child input')) box.click()")
            until(lambda: gateway.call("GET", f"/api/devices/{PHONES[2]}")["listeners"] == 1, "the phones")
            page.run("location.hash = '#/notifications'")
            traffic(gateway)
            spoilt = gateway.call("GET", "/api/notifications?collapse-id=visit-7")["notifications"][0]
            page.run("location.hash = '#/notifications/' + arguments[0]", spoilt["apns-unique-id"])
            page.until("document.querySelector('.code .finding')")
            page.until("document.getElementById('count-unprocessed').textContent === '1'", "the last counts")
            take(page, "notifications")
            gateway.call("PATCH", f"/api/devices/{PHONES[2]}", {"online": False, "low-power": True})
            gateway.send(alert(2, "Quarter closes today", "Three offers are still open"))
            page.run("location.hash = '#/devices'")
            page.until("document.querySelector('.waiting li')")
            take(page, "devices")
            page.run("location.hash = '#/send'")
            page.until("document.getElementById('findings-state').textContent === 'Nothing found'")
            page.run(
                "const field = document.getElementById('payload');"
                "const more = '\"default\",\\n    \"badge\": \"3\",\\n    \"category\": 7';"
                "field.value = field.value.replace('\"default\"', more);"
                "field.dispatchEvent(new Event('input', { bubbles: true }))"
            )
            page.until("document.querySelectorAll('#findings li').length > 1")
            take(page, "send")
            delay = {"delay": {"log-normal": {"median": "40ms", "sigma": 0.8}}}
            refuse = {"refuse": {"status": 429, "reason": "TooManyRequests"}}
            gateway.call("POST", "/api/faults", {"effect": delay, "probability": 0.3})
            gateway.call("POST", "/api/faults", {"effect": refuse, "match": {"push-type": "background"}, "count": 20})
            page.run("location.hash = '#/faults'")
            page.until("document.querySelectorAll('#faults .fault').length === 3")
            take(page, "faults")


if __name__ == "__main__":
    main()
