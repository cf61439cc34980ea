import GatewayCore

extension GatewaySetting {
    package static let all: [GatewaySetting] = [
        config, checkConfig, replay, wait, waitTimeout, host, port, controlPort, channelPort, credentials,
        credentialsGroup, name, controlToken, controlTokenFile, controlOrigin, grace, memory, store, record,
        recordBytes, recordFiles, webhook, webhookCA, remoteWebhooks, worlds, worldIdle, idleWorlds, namedWorlds,
        verbose, logFormat, json,
        environment, devices, key, teamID, anyKey, apps, registeredDevices, clock, seed, retain, retainBytes,
        availability, idleTimeout, unregisteredDelay, deviceRate, channelRate, maximumStreams, budget, contested,
        faults, answers, limits,
    ]

    // MARK: What the command does

    package static let config = option(
        "config", key: nil, isForReplay: true, value: "file",
        "A configuration file in YAML (docs/configuration.md). Options win over what it says.")
    package static let checkConfig = option(
        "check-config", form: .flag, key: nil, "Check the configuration file and the options, and start nothing.")
    package static let replay = option(
        "replay", key: nil, isForReplay: true, value: "file",
        "Judge the notifications of a file that `--record` wrote again, report what differs, and end; `-` is standard input."
    )
    package static let wait = option(
        "wait", form: .flag, key: nil,
        "Start nothing, but wait until the gateway at this control port is ready, and end; for a health check in an image "
            + "without curl.")
    package static let waitTimeout = option(
        "wait-timeout", key: nil, value: "duration",
        "How long `--wait` waits, such as `10s`; `0s` asks once.", fallback: "`60s`")
    package static let verbose = option(
        "verbose", form: .flag, "Show every notification with its verdict on stderr.")
    package static let logFormat = option(
        "log-format", value: "format",
        "How messages on stderr are written: `text`, or `json` for one JSON object a line.", fallback: "`text`")
    package static let json = option(
        "json", form: .flag, isForReplay: true, "Print addresses, ports and credentials as one line of JSON.")

    // MARK: Where it listens

    package static let host = option(
        "host", "The address to listen on. Any other than loopback needs a control token.", fallback: "`127.0.0.1`")
    package static let port = option("port", "The port for senders; 0 takes a free one.", fallback: "`8443`")
    package static let controlPort = option(
        "control-port", "The port of the control API; 0 takes a free one.", fallback: "`8444`")
    package static let channelPort = option(
        "channel-port",
        "The port that only takes channel management, which the port for senders takes too; 0 takes a free one.",
        fallback: "`8445`, or a free one")
    package static let credentials = option(
        "credentials", "The folder with the development credentials, made when it does not exist.",
        fallback: "`certs/dev`")
    package static let credentialsGroup = option(
        "credentials-group", value: "group",
        "Let this group, a name or a number, read the signing key and the keys of push certificates.",
        fallback: "only the owner may")
    package static let name = option(
        "name", form: .list, key: "names", scope: .gateway, precedence: .optionAdds, value: "host",
        "A further host name or address for the server certificate, such as `gateway` or `api.push.apple.com`; may be "
            + "repeated.",
        inFile: "In the file a list.")
    package static let controlTokenFile = option(
        "control-token-file", value: "file",
        "A file whose first line is the control token, so that no list of processes shows it.")
    package static let controlToken = option(
        "control-token",
        "What clients of the control API must send as a bearer token, \(GatewayConfiguration.minimumControlTokenBytes) "
            + "characters or more. As an option every user of the machine sees it in the list of processes: use "
            + "`--control-token-file` or the variable.")

    package static let controlOrigin = option(
        "control-origin", value: "url",
        "The origin at which browsers reach the control port through a proxy, such as `https://push.example.com`; the page "
            + "works there too.")

    // MARK: How it ends

    package static let grace = option(
        "grace", value: "duration",
        "How long the gateway takes to stop at most: it completes requests, and posts what is queued for webhooks. Up to "
            + "`10m`.",
        fallback: "`5s`")

    // MARK: What it keeps

    package static let memory = option(
        "memory", value: "bytes",
        "How much memory all worlds and subscribers may use together, such as `512MiB`; beyond it the oldest notifications "
            + "are given up first.",
        fallback: "half of what the machine or the container has")

    package static let store = option(
        "store", value: "file",
        "Keep all worlds in this SQLite file, and continue with what it holds; made when it does not exist.")
    package static let record = option(
        "record", value: "file",
        "Append every notification with its verdict to this file, as one envelope a line; `-` is standard output.")
    package static let recordBytes = option(
        "record-bytes", value: "bytes",
        "Begin a new file of the record at this size, such as `64MiB`: FILE becomes FILE.1, FILE.1 becomes FILE.2.",
        fallback: "`1GiB`")
    package static let recordFiles = option(
        "record-files", value: "count",
        "How many files of a record are kept, the one that is written included; the oldest is removed.", fallback: "`8`"
    )
    package static let retain = option(
        "retain", scope: .world, value: "count", "How many notifications the journal keeps.", fallback: "`10000`")
    package static let retainBytes = option(
        "retain-bytes", scope: .world, value: "bytes", "How much memory the journal may use, in bytes.",
        fallback: "`268435456`")

    // MARK: Webhooks

    package static let webhook = option(
        "webhook", form: .list, key: "webhooks", scope: .gateway, precedence: .optionAdds, value: "url",
        "Post every event as JSON to this address, such as `http://127.0.0.1:9000/path`; may be repeated.",
        inFile: "In the file a list.")
    package static let webhookCA = option(
        "webhook-ca", value: "pem",
        "Verify webhooks of `https://` with the authorities in this file instead of those of the system.")
    package static let remoteWebhooks = option(
        "remote-webhooks", form: .flag, "Allow webhooks on other machines.")

    // MARK: Worlds

    package static let worlds = option(
        "worlds", key: "maximum-worlds", isForReplay: true, value: "count",
        "How many worlds the gateway holds at most, the default one included.",
        fallback: "`\(GatewayConfiguration.defaultWorlds)`")
    package static let worldIdle = option(
        "world-idle", value: "duration",
        "Remove a world that nobody has used for this long, such as `1h`; not the default one and those of the file.",
        fallback: "`off`")
    package static let idleWorlds = option(
        "idle-worlds", value: "count",
        "How many worlds that nobody has used for a minute are kept; those that are idle for longest are removed first.",
        fallback: "all")
    package static let namedWorlds = key(
        "worlds", scope: .gateway,
        "A list of further worlds: `name` (a label of a host name) and any key of the second table.",
        fallback: "none")

    // MARK: What a world is

    package static let environment = option(
        "environment", scope: .world, isForReplay: true, "Which of Apple's services to be: `sandbox` or `production`.",
        fallback: "`sandbox`")
    package static let devices = option(
        "devices", scope: .world, isForReplay: true,
        "What to do with a device token that is not registered: `open` registers it, `strict` refuses it.",
        fallback: "`open`")
    package static let key = option(
        "key", form: .list, key: "keys", scope: .world, precedence: .optionAdds, isForReplay: true, value: "file",
        "A further `.p8` or public key to accept, in a file named `AuthKey_KEYID.p8`; may be repeated.",
        inFile: "In the file a list of `file` or `public-key` (PEM), `key-id`, `team-id`, `kind` (`team` or `topic`), "
            + "`topics` and `environments`.")
    package static let teamID = option(
        "team-id", form: .list, key: "keys", scope: .world, precedence: .optionAdds, isForReplay: true, value: "id",
        "The team of the `--key` at the same place; needed once for each.",
        inFile: "In the file part of an entry of `keys`.")
    package static let anyKey = option(
        "any-key", form: .flag, scope: .world, isForReplay: true,
        "Accept well-formed provider tokens of unknown keys, and mark them as unverified.")
    package static let apps = key(
        "apps", scope: .world,
        "A list of `topic` (the bundle id), `team-id` and `capabilities` (`push` and `broadcast`; both when absent).",
        fallback: "the app of the credentials, which is always known")
    package static let registeredDevices = key(
        "registered-devices", scope: .world, "A list of `topic`, `token`, `kind` and `environment`.", fallback: "none")
    package static let clock = option(
        "clock", scope: .world,
        "Whether time passes by itself, `real`, or is set by the control API, `manual`.", fallback: "`real`",
        inFile: "In the file also `{mode: manual, now: TIME}`, with a time in RFC 3339 or Unix seconds.")
    package static let seed = option(
        "seed", scope: .world, isForReplay: true,
        "The seed of ids and faults, a whole number; the same seed and the same requests give the same.",
        fallback: "random")

    // MARK: How a world behaves

    package static let availability = key(
        "availability", scope: .world, "`serving`, `failing`, `overloaded` or `stopping`.", fallback: "`serving`")
    package static let idleTimeout = option(
        "idle-timeout", scope: .world, value: "duration",
        "Close the connection of a sender that is silent for this long, such as `10m`, with `IdleTimeout`.",
        inFile: "In the file also `off`.")
    package static let unregisteredDelay = option(
        "unregistered-delay", scope: .world, isForReplay: true, value: "duration",
        "How long after an uninstall sends are still accepted, such as `10m`; after that they get 410 `Unregistered`.",
        fallback: "`0s`")
    package static let deviceRate = option(
        "device-rate", scope: .world, isForReplay: true, value: "count/duration",
        "How many notifications one device token takes in a period, such as `10/1m`; then 429 `TooManyRequests`.",
        fallback: "`off`")
    package static let channelRate = option(
        "channel-rate", scope: .world, isForReplay: true, value: "count/duration",
        "The same for broadcasts to one channel.",
        fallback: "`off`")
    package static let maximumStreams = key(
        "max-concurrent-streams", scope: .world,
        "How many streams a connection has once a provider token was accepted.",
        fallback: "`1000`")
    package static let budget = option(
        "budget", form: .list, key: "budgets", scope: .world, isForReplay: true, value: "name=count/period",
        "How many pushes of a kind a device receives in a period, such as `silent=3/1h`; `NAME=unlimited` lifts "
            + "the limit; may be repeated.",
        fallback: "`silent=3/1h`, `complication=50/1d`, `location=360/1d`; `liveactivity`, `widgets` and `controls` "
            + "unlimited",
        inFile: "In the file a mapping.")
    package static let contested = option(
        "contested", form: .list, scope: .world, isForReplay: true, value: "name=value",
        "How to answer a question about APNs that is not settled, such as `malformed-json=refuse`; docs/reasons.md lists "
            + "them; may be repeated.",
        inFile: "In the file a mapping.")
    package static let faults = option(
        "faults", scope: .world, isForReplay: true, value: "file",
        "A file of fault rules to begin with (docs/faults.md): a list in JSON, in YAML (`.yaml`, `.yml`), or one a line "
            + "(`.ndjson`, `.jsonl`).",
        inFile: "In the file also the list itself.")
    package static let answers = option(
        "answers", scope: .world, value: "file",
        "A file that `--record` wrote: a request to the same device token, with the same topic and push type, gets the "
            + "recorded answers, in their order; the last one repeats.")
    package static let limits = key(
        "limits", scope: .world,
        "How much a world holds: `devices`, `apps`, `keys`, `faults`, `channels`, `channels-of-app`, `subscriptions`, "
            + "`provider-tokens`.",
        fallback: "100000, 10000, 10000, 256, 100000, 10000, 100, 1024")
}
