import Foundation
import RepositoryFiles
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `apns personalization play` as a process, against `apns personalization`.
@Suite(.timeLimit(.minutes(3))) struct PersonalizationPlayCommandTests {
    private func withService(
        _ more: [String] = [], _ body: (_ command: Command, _ url: String) async throws -> Void
    ) async throws {
        try await withCommand { command in
            let service = try command.start(
                ["personalization", "--port", "0", "--seed", "7", "--clock", "manual", "--json"] + more)
            try await service.stopped {
                let facts = try JSONText.object(try await service.line(#""event":"ready""#))
                try await body(command, try #require(facts["url"] as? String))
            }
        }
    }

    private func example(_ name: String) -> String { Repository.url("Examples/personalization/\(name)").path }

    @Test func `a script is played, a line of result for each step`() async throws {
        try await withService { command, url in
            let result = try await command.run(
                ["personalization", "play", example("1-push-opened.ndjson"), "--url", url, "--json"])
            #expect(result.status == 0 && result.errors.isEmpty, "\(result.text)")
            let lines = try result.lines.map { try JSONText.object(String($0)) }
            #expect(lines.compactMap { $0["step"] as? Int } == Array(1...11))
            #expect(lines.allSatisfy { $0["ok"] as? Bool == true })
            #expect((lines[3]["route"] as? [String: String]) == ["category": "kitchen/kettles"])

            let compared = try await command.run([
                "personalization", "play", example("1-push-opened.ndjson"), "--url", url + "/", "--expect",
                example("1-push-opened.expected.ndjson"),
            ])
            #expect(
                compared.status == 0 && compared.errors == "11 steps played, all as expected.\n", "\(compared.text)")
            #expect(compared.lines[3].contains("open-push: it leads to category kitchen/kettles"))
        }
    }

    @Test func `a step that is not done makes the status 1, and so does a result that is not expected`() async throws {
        try await withService { command, url in
            try command.write(
                """
                {"do":"configure"}
                {"do":"fetch","points":["home_hero"]}
                """, to: "script.ndjson")
            try command.write(
                """
                {"ok":true}
                {"ok":false,"error":"network"}
                {"ok":true}
                """, to: "expected.ndjson")
            let arguments = ["personalization", "play", "script.ndjson", "--url", url, "--json"]
            let result = try await command.run(arguments)
            #expect(result.status == 1 && result.errors == "2 steps played, 1 not done.\n", "\(result.text)")
            #expect(result.lines.last?.contains(#""do":"fetch","ok":false,"error":"consent""#) == true)
            let compared = try await command.run(arguments + ["--expect", "expected.ndjson"])
            #expect(compared.status == 1)
            #expect(
                compared.errors.contains(#"step 2 (fetch): /error is "consent"; "network" is expected"#),
                "\(compared.text)")
        }
    }

    @Test func `all mistakes of a file are named with their lines, and nothing is played`() async throws {
        try await withService { command, url in
            try command.write(
                """
                # a comment
                {"do":"configure"}
                {"do":"fecth","points":["home_hero"]}

                {"do":"advance","by":
                """, to: "script.ndjson")
            let result = try await command.run(["personalization", "play", "script.ndjson", "--url", url])
            #expect(result.status == 2 && result.output.isEmpty)
            #expect(
                result.errors.contains(#"script.ndjson:3: there is no step "fecth"; did you mean "fetch"?"#),
                "\(result.errors)")
            #expect(result.errors.contains("script.ndjson:5: not JSON at byte"), "\(result.errors)")
        }
    }

    @Test func `a file that is missing and a service that does not run are named with what to do`() async throws {
        try await withCommand { command in
            let missing = try await command.run(
                ["personalization", "play", "nothing.ndjson", "--url", "http://127.0.0.1:9"])
            #expect(missing.status == 2 && missing.errors.contains("nothing.ndjson cannot be read"), "\(missing.text)")
            try command.write(#"{"do":"configure"}"#, to: "script.ndjson")
            let silent = try await command.run(
                ["personalization", "play", "script.ndjson", "--url", "http://127.0.0.1:9"])
            #expect(
                silent.status == 2 && silent.errors.contains("no decision service answers at http://127.0.0.1:9"),
                "\(silent.text)")
            let address = try await command.run(["personalization", "play", "script.ndjson", "--url", "shop"])
            #expect(address.status == 64 && address.text.contains("http://127.0.0.1:8446"), "\(address.text)")
        }
    }

    @Test func `a service of another kind is named as what it is not`() async throws {
        try await withService { command, url in
            try command.write(#"{"do":"initialize"}"#, to: "script.ndjson")
            let result = try await command.run(["optimization", "play", "script.ndjson", "--url", url])
            #expect(result.status == 2)
            #expect(result.errors.contains("is not an optimization service; start one with: "), "\(result.text)")
        }
    }

    @Test func `a service with a control token needs it`() async throws {
        try await withService(["--control-token", "a-long-control-token"]) { command, url in
            try command.write(#"{"do":"configure"}"#, to: "script.ndjson")
            let arguments = ["personalization", "play", "script.ndjson", "--url", url]
            let refused = try await command.run(arguments)
            #expect(
                refused.status == 2 && refused.errors.contains("set APNS_PERSONALIZATION_CONTROL_TOKEN to it"),
                "\(refused.text)")
            let other = ["APNS_PERSONALIZATION_CONTROL_TOKEN": "another-control-token"]
            let wrong = try await command.run(arguments, environment: other)
            #expect(wrong.status == 2 && !wrong.text.contains("another-control-token"), "\(wrong.text)")
            #expect(
                wrong.errors.contains("the value of APNS_PERSONALIZATION_CONTROL_TOKEN is not the control token"),
                "\(wrong.text)")
            let variable = ["APNS_PERSONALIZATION_CONTROL_TOKEN": "a-long-control-token"]
            #expect(try await command.run(arguments, environment: variable).status == 0)
        }
    }

    @Test func `standard input is played line by line, and half a line at its end is a mistake`() async throws {
        try await withService { command, url in
            let play = try command.start(
                ["personalization", "play", "-", "--url", url, "--json"], hasInput: true)
            play.feed(#"{"do":"configure"}"# + "\n")
            try await play.line(#""step":1,"do":"configure","ok":true"#)
            play.feed(#"{"do":"queue"}"# + "\n" + #"{"do":"qu"#)
            try await play.line(#""step":2,"do":"queue","ok":true,"events":[]"#)
            play.endInput()
            #expect(await play.status() == 2)
            try await play.errorLine("standard input:3: not JSON at byte")
        }
    }

    @Test func `a signal stops a play, which says how far it came`() async throws {
        try await withService { command, url in
            var request = URLRequest(url: try #require(URL(string: url + "/api/faults")))
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(#"{"match":{"path":"decisions"},"effect":{"silence":true}}"#.utf8)
            let (_, answer) = try await URLSession.shared.data(for: request)
            #expect((answer as? HTTPURLResponse)?.statusCode == 201)
            try command.write(
                """
                {"do":"configure"}
                {"do":"consent","value":"opt-in"}
                {"do":"fetch","points":["home_hero"],"timeout":100}
                """, to: "script.ndjson")
            let play = try command.start(["personalization", "play", "script.ndjson", "--url", url, "--json"])
            try await play.line(#""do":"consent""#)
            play.send(SIGINT)
            #expect(await play.status() == 2)
            try await play.errorLine("Stopped: 2 steps played.")
            // At the end of its input nothing is cut off.
            let typed = try command.start(
                ["personalization", "play", "-", "--url", url, "--json"], hasInput: true)
            typed.feed(#"{"do":"configure"}"# + "\n")
            try await typed.line(#""do":"configure""#)
            typed.send(SIGINT)
            #expect(await typed.status() == 0)
        }
    }
}
