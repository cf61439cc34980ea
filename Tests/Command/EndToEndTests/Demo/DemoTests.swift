import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite(.serialized, .timeLimit(.minutes(10))) struct DemoTests {
    private static func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 }

    private static func deviceProcess(_ line: some StringProtocol) throws -> Int32 {
        try #require(line.split(separator: ",").first?.split(separator: " ").last.flatMap { Int32($0) })
    }

    // MARK: The first change

    /// A line such as `   109.2 ms  gateway  accepted: every check passed`.
    private struct Step {
        var milliseconds: Double
        var name: String
        var text: String

        init?(_ line: Substring) {
            guard let match = line.wholeMatch(of: /\ *([0-9]+\.[0-9]) ms  ([a-z]+) +(.*)/), let time = Double(match.1)
            else { return nil }
            (milliseconds, name, text) = (time, String(match.2), String(match.3))
        }
    }

    @Test func `a change arrives in the store of the device, step by step, and nothing is left behind`() async throws {
        try await withCommand { command in
            let result = try await command.run(["demo", "--short"])
            #expect(result.status == 0, "\(result.text)")
            let steps = result.lines.compactMap { Step($0) }
            try #require(
                steps.map(\.name) == [
                    "change", "trigger", "check", "send", "gateway", "deliver", "dispatch", "fetch", "merge", "store",
                    "result",
                ], "\(result.text)")
            #expect(steps.map(\.milliseconds) == steps.map(\.milliseconds).sorted())
            let text = Dictionary(uniqueKeysWithValues: steps.map { ($0.name, $0.text) })

            let change = try #require(
                text["change"]?.wholeMatch(
                    of: /Account ([0-9a-zA-Z]{18}): Name "Northwind Clinic" becomes "Northwind Clinic Nord"/))
            let account = String(change.1)
            let trigger = try #require(text["trigger"]?.wholeMatch(of: /ACCOUNT_UPDATE: (.*)/))
            let payload = try JSONText.object(trigger.1)
            #expect(payload["accountId"] as? String == account && payload["changedFields"] as? String == "Name")
            #expect(
                text["check"]
                    == "\(trigger.1.utf8.count) of 4096 bytes, 0 findings; push type background, priority 5")
            #expect(text["send"] == "signed with ES256, sent over TLS and HTTP/2, answered with 200")
            #expect(text["gateway"]?.hasPrefix("accepted: ") == true)
            #expect(text["deliver"]?.wholeMatch(of: /to the device, as apns-unique-id [0-9a-f-]{36}/) != nil)
            #expect(text["dispatch"] == "Account, to selective sync")
            let fetch = try #require(text["fetch"]?.split(separator: ": ", maxSplits: 1))
            #expect(fetch.first == "POST /services/data/v66.0/composite/sobjects/Account")
            #expect(fetch.last?.wholeMatch(of: /200, [1-9]\d* bytes out, [1-9]\d* bytes back/) != nil)
            #expect(text["merge"] == "Account: 1 inserted")

            // The record in the store is the changed one.
            let record = try JSONText.object(try #require(text["store"]))
            #expect(record["Id"] as? String == account)
            #expect(record["Name"] as? String == "Northwind Clinic Nord")
            #expect(record["Type"] as? String == "Prospect")
            #expect(text["result"]?.wholeMatch(of: /newData to the system, \d+\.\d ms after it woke the app/) != nil)

            #expect(!result.errors.lowercased().contains("error"), "\(result.errors)")
            #expect(!result.text.contains("\u{1B}"))
            let device = try #require(result.lines.first { $0.contains("device   process") })
            #expect(!DemoTests.isRunning(try DemoTests.deviceProcess(device)))
        }
    }

    @Test func `it ends with commands to try, as the command was called`() async throws {
        try await withCommand { command in
            let result = try await command.run(
                ["demo", "--short"], environment: ["APNS_COMMAND": "tools/apns", "NO_COLOR": "1"])
            let next = result.lines.drop { $0 != "What to try next:" }.dropFirst()
            // The folder of the test has no payloads, so none are named.
            let all = ["gateway", "send --gateway local", "rules", "device", "org --gateway local"]
            try #require(next.count == all.count, "\(result.text)")
            for (line, arguments) in zip(next, all) { #expect(line.hasPrefix("  tools/apns \(arguments) "), "\(line)") }
        }
    }

    // MARK: The hard cases

    /// The heading of a scene, with the lines below it.
    private struct Scene {
        var name: String
        var lines: [String]
    }

    private static func scenes(_ lines: [Substring]) -> [Scene] {
        let names = [
            "two devices", "offline", "bulk save", "burst", "force-quit", "session", "own edit", "regular sync",
            "campaign", "no network", "magazine", "no content",
        ]
        var scenes: [Scene] = []
        for line in lines {
            if let name = names.first(where: { line.hasPrefix("  \($0)  ") }) {
                scenes.append(Scene(name: name, lines: []))
            } else if line.hasPrefix(String(repeating: " ", count: 16)), !scenes.isEmpty {
                scenes[scenes.count - 1].lines.append(String(line.drop { $0 == " " }))
            }
        }
        return scenes
    }

    /// What each scene prints, line by line.
    private static let promises: [(scene: String, lines: [String])] = [
        ("two devices", [#"each has 540 records, for 4 requests, [0-9,]+ bytes"#]),
        (
            "offline",
            [
                "phone   3 × newData", "tablet  newData: APNs keeps only the newest push of an app",
                "the app of the first device was uninstalled: its push got 410, and the CRM removed it",
            ]
        ),
        (
            "bulk save",
            ["refused, and no record is changed: System.LimitException: Too many mobile push Apex calls: 11"]
        ),
        (
            "burst",
            [
                "phone   3 × newData", "tablet  3 × newData",
                "6 pushes for both; their records came with 6 requests, [0-9,]+ bytes",
            ]
        ),
        (
            "force-quit",
            ["phone   newData", "tablet  nothing: throttled, .*", "tablet  newData once the user opens it again"]
        ),
        (
            "session",
            [
                "phone   newData, 1 refresh of the session",
                "tablet  newData, 1 refresh; 2 calls were refused",
            ]
        ),
        (
            "own edit",
            [
                "phone   noData, the edit stays: Type is Partner", #"tablet  newData, Name is "Clinic renamed""#,
                "upload  1 conflict, nothing overwritten; the user decides for the edit",
                "phone   noData: the push about its own edit", "tablet  newData, Type is Partner",
            ]
        ),
        // The tablet missed two of the three changes of the scene "offline".
        (
            "regular sync",
            [
                "phone   540 of 540 records were equal; 0 changed; now all are",
                "tablet  538 of 540 records were equal; 2 changed; now all are",
            ]
        ),
        (
            "campaign",
            [
                "log-in  Kim agrees and logs in; the service joins the phone with kim@example.com",
                #"push    "New kettle range": [1-9]\d* bytes, 0 findings, answered with 200, delivered"#,
                "tap     queues the open event, then opens category kitchen/kettles",
                "fetch   from the service: Copper kettle, Steel kettle", "seen    Copper kettle, twice: 1 impression",
                "click   Copper kettle opens product 7300215",
                "service a decision for kim@example.com: 1 open, 1 impression, 1 click",
            ]
        ),
        (
            "no network",
            [
                #"push    "The kettles are waiting": [1-9]\d* bytes, 0 findings, answered with 200, delivered"#,
                "tap     queues the open event, then opens category kitchen/kettles",
                "fetch   from the cache: Copper kettle, Steel kettle",
                "seen    Steel kettle: 1 impression; Copper kettle has counted",
                "click   Steel kettle opens product 7300216",
                "kept    3 events; the service still has 1 open, 1 impression, 1 click",
                "online  3 events arrive once, in order, with the times at which they happened",
                "service 1 open, 2 impressions, 2 clicks; the next decision has the second open",
            ]
        ),
        (
            "magazine",
            [
                "log-in  Ada agrees and logs in; the service puts her into no audience",
                #"shown   "Kettles in a minute", because experience for-all is selected with variant 1, .*"#,
                #"event   story-finished; the service puts her into Regular readers \(.*\)"#,
                #"locked  the story on the screen stays "Kettles in a minute""#,
                #"opened  "All about kettles", because experience for-regulars is selected with variant 1, .*"#,
                #"push    ENTRY_UPDATE: [1-9]\d* bytes, 0 findings, answered with 200; newData"#,
                #"live    "All about kettles, corrected"; the locked one is still "Kettles in a minute""#,
            ]
        ),
        (
            "no content",
            [
                #"opened  from the cache: "All about kettles, corrected", because experience for-regulars .*"#,
                #"push    ENTRY_UPDATE: [1-9]\d* bytes, 0 findings, answered with 200; failed"#,
                "kept    the name of the story, in a file",
                #"online  newData: "All about kettles, third edition""#,
            ]
        ),
    ]

    @Test func `the hard cases end with both stores as the CRM has them, and a campaign with what the service counts`()
        async throws
    {
        try await withCommand { command in
            let result = try await command.run(["demo"])
            #expect(result.status == 0, "\(result.text)")
            let scenes = DemoTests.scenes(result.lines)
            #expect(scenes.map(\.name) == DemoTests.promises.map(\.scene))
            for (scene, promise) in zip(scenes, DemoTests.promises) {
                try #require(scene.lines.count == promise.lines.count, "\(scene.name): \(scene.lines)")
                for (line, wanted) in zip(scene.lines, promise.lines) {
                    #expect(try line.wholeMatch(of: Regex(wanted)) != nil, "\(scene.name): \(line)")
                }
            }

            // 3 + 500 + 1 + 1 + 1 + 1 changes, against what polling and full syncs need.
            let table = result.lines.compactMap { line in
                line.wholeMatch(of: #/    (.*?)  +([0-9,]+) requests, ([0-9,]+) bytes/#)
            }
            #expect(
                table.map { String($0.1) } == [
                    "507 changes by push, and the regular sync", "polling every 15 minutes for a day, nothing new",
                    "a full sync every 15 minutes for a day",
                ])
            let requests = table.compactMap { Int($0.2.filter { $0 != "," }) }
            let bytes = table.compactMap { Int($0.3.filter { $0 != "," }) }
            try #require(requests.count == 3 && bytes.count == 3)
            #expect(requests[0] < requests[1] && bytes[0] < bytes[2])
            #expect(!result.errors.lowercased().contains("error"), "\(result.errors)")
        }
    }

    // MARK: Ending

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends it without leaving the device behind`(signal: Int32) async throws {
        try await withCommand { command in
            let demo = try command.start(["demo", "--short"])
            let device = try DemoTests.deviceProcess(try await demo.line("device   process"))
            demo.send(signal)
            // It may have been done by then.
            #expect([0, 1].contains(await demo.status()))
            #expect(!DemoTests.isRunning(device))
        }
    }

    @Test func `it runs without standard input, and with an output that is closed early`() async throws {
        try await withCommand { command in
            #expect(try await command.shell("apns demo --short <&-").status == 0)
            let first = try await command.shell("apns demo --short | head -1")
            #expect(!first.errors.lowercased().contains("error"), "\(first.errors)")
        }
    }
}
