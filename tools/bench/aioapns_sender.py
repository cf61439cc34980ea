"""Sends notifications with aioapns from 1,000 tasks over one connection, for tools/bench/compare."""

import argparse
import asyncio
import json
import ssl
import sys

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsDevelopmentClientProtocol


async def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("port", "count", "tasks", "device-tokens"):
        parser.add_argument(f"--{name}", type=int, default=1000)
    for name in ("ca", "key", "key-id", "team-id", "topic", "payload"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()

    APNsDevelopmentClientProtocol.APNS_SERVER = "127.0.0.1"
    APNsDevelopmentClientProtocol.APNS_PORT = options.port
    context = ssl.create_default_context(cafile=options.ca)
    context.set_alpn_protocols(["h2"])
    with open(options.key) as file:
        key = file.read()
    with open(options.payload) as file:
        message = json.load(file)
    client = APNs(
        key=key, key_id=options.key_id, team_id=options.team_id, topic=options.topic, max_connections=1,
        use_sandbox=True, ssl_context=context)
    device_tokens = [f"{index + 1:064x}" for index in range(options.device_tokens)]
    numbers = iter(range(options.count))
    refused = 0

    async def work() -> None:
        nonlocal refused
        for number in numbers:
            request = NotificationRequest(
                device_token=device_tokens[number % len(device_tokens)], message=message, priority=5,
                push_type=PushType.BACKGROUND)
            response = await client.send_notification(request)
            if not response.is_successful:
                refused += 1

    await asyncio.gather(*(work() for _ in range(options.tasks)))
    if refused:
        print(f"{refused} were not accepted", file=sys.stderr)
    return 1 if refused else 0


sys.exit(asyncio.run(main()))
