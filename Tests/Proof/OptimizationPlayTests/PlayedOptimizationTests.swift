import AppPlay
import OptimizationPlay
import OptimizationSimulator
import PushDispatch
import ServiceHost
import Testing

/// What the steps do beyond the examples.
@Suite(.timeLimit(.minutes(5))) struct PlayedOptimizationTests {
    @Test func `without a process nothing but the device can be played`() async throws {
        try await PlayedServices.with { services in
            #expect(try await services.last(#"{"do":"flush"}"#)["error"] == "notInitialized")
            #expect(try await services.last(#"{"do":"online","value":false}"#)["ok"] == true)
            let results = try await services.play(
                """
                {"do":"configure"}
                {"do":"screen","name":"Home"}
                {"do":"consent","value":true}
                {"do":"initialize"}
                {"do":"initialize"}
                {"do":"state"}
                {"do":"kill"}
                {"do":"state"}
                """)
            #expect(
                results.map { $0.json["error"] } == [
                    nil, "notInitialized", nil, nil, "configuration", nil, nil, "notInitialized",
                ])
            // Consent before `initialize` does nothing.
            #expect(results[5].json["state"]?["consent"] == .null)
        }
    }

    @Test func `a configuration is checked by initialize, and can be replaced then`() async throws {
        try await PlayedServices.with { services in
            let results = try await services.play(
                """
                {"do":"configure","clientId":" "}
                {"do":"initialize"}
                {"do":"configure","experienceBaseUrl":"http://example.com"}
                {"do":"initialize"}
                {"do":"configure"}
                {"do":"initialize"}
                """)
            #expect(results.map { $0.json["error"] } == [nil, "configuration", nil, "configuration", nil, nil])
        }
    }

    @Test func `another organization is told with the service's code by a step that waits`() async throws {
        try await PlayedServices.with { services in
            let results = try await services.play(
                """
                {"do":"configure","clientId":"nobody"}
                {"do":"initialize"}
                {"do":"screen","name":"Home"}
                {"do":"wait"}
                {"do":"queue"}
                """)
            #expect(results.map { $0.json["problems"] != nil } == [false, false, false, true, false])
            #expect(results[3].text.contains("404: ERR_CONFIG_NOT_FOUND"))
            #expect(results[4].json["profile"]?.array?.count == 1)
        }
    }

    @Test func `an entry that cannot be fetched is an error with its kind`() async throws {
        try await PlayedServices.with { services in
            let results = try await services.play(
                """
                {"do":"configure","accessToken":"wrong"}
                {"do":"initialize"}
                {"do":"resolve","entry":"hero"}
                {"do":"configure"}
                {"do":"resolve","entry":"nothing"}
                {"do":"online","value":false}
                {"do":"visible","entry":"hero","ratio":1}
                {"do":"panel","open":true}
                {"do":"online","value":true}
                {"do":"panel","open":true}
                {"do":"resolve","entry":"hero"}
                """)
            #expect(
                results.map { $0.json["error"] } == [
                    nil, nil, "accessTokenInvalid", nil, "notFound", nil, "network", nil, nil, nil, nil,
                ])
            #expect(results[7].json["failure"] == "network" && results[9].json["failure"] == nil)
        }
    }

    @Test func `a request of the former process is not answered into the next one`() async throws {
        try await PlayedServices.with(
            """
            entries: [entries.json]
            faults:
              - {match: {path: profiles}, effect: {silence: true}, count: 1}
            """
        ) { services in
            let former = try await services.play(
                """
                {"do":"configure","storesEvents":true}
                {"do":"initialize"}
                {"do":"online","value":false}
                {"do":"screen","name":"Home"}
                {"do":"online","value":true}
                """)
            // Until the request has arrived: it would otherwise be that of the next process that gets no answer.
            while services.hasFaults { _ = try await services.play(#"{"do":"state"}"#) }
            let results = try await services.play(
                """
                {"do":"kill"}
                {"do":"configure","storesEvents":true}
                {"do":"initialize"}
                {"do":"wait"}
                {"do":"queue"}
                """)
            #expect((former + results).allSatisfy { $0.isOK })
            #expect(results[4].json["profile"] == [])
            #expect(services.kinds(.profile) == ["screen"])
        }
    }

    @Test func `an entry that has not changed is not sent again to the next process`() async throws {
        try await PlayedServices.with { services in
            let results = try await services.play(
                """
                {"do":"configure"}
                {"do":"initialize"}
                {"do":"resolve","entry":"hero"}
                {"do":"kill"}
                {"do":"configure"}
                {"do":"initialize"}
                {"do":"resolve","entry":"hero"}
                """)
            #expect(results[6].json["entry"] == results[2].json["entry"])
            let answers = services.server.read { $0.answers.filter { $0.key.path == "entries" } }
            #expect(answers.sorted { $0.key.status < $1.key.status }.map(\.key.status) == [200, 304])
        }
    }

    @Test func `an entry of the script is shown as it stands there`() async throws {
        try await PlayedServices.with { services in
            let entry = #"""
                {"sys":{"id":"hero","type":"Entry"},"fields":{"title":"Hello","nt_experiences":[
                {"sys":{"id":"x","type":"Entry"},"fields":{"nt_name":"n","nt_type":"nt_experiment","nt_experience_id":"exp-1",
                "nt_config":{"components":[{"type":"EntryReplacement","baseline":{"id":"hero"},"variants":[{"id":""}]}]},
                "nt_variants":[]}}]}}
                """#.split(separator: "\n").joined()
            let results = try await services.play(
                """
                {"do":"configure","defaults":{"personalizations":[{"experienceId":"exp-1","variantIndex":1}]}}
                {"do":"initialize"}
                {"do":"resolve","entry":\(entry)}
                """)
            #expect(results[2].json["empty-variant"] == true && results[2].json["entry"]?["sys"]?["id"] == "hero")
        }
    }
}
