import AppPlay
import PersonalizationPlay
import PushDispatch
import Testing

/// What the steps do beyond the examples.
@Suite(.timeLimit(.minutes(5))) struct PersonalizationAppTests {

    @Test func `without a process nothing but the device can be played, and a second one does not start`() async throws
    {
        try await PlayedService.with { service in
            #expect(try await service.last(#"{"do":"flush"}"#)["error"] == "notInitialized")
            #expect(try await service.last(#"{"do":"online","value":false}"#)["ok"] == true)
            let begun = try await service.last(#"{"do":"configure"}"#)
            #expect(begun["ok"] == true && begun["device-id"]?.string?.count == 32)
            #expect(try await service.last(#"{"do":"configure"}"#)["error"] == "alreadyConfigured")
            // The device was offline before the process began.
            let fetched = try await service.last(
                """
                {"do":"consent","value":"opt-in"}
                {"do":"fetch","points":["home_hero"]}
                """)
            #expect(fetched["source"] == "default" && fetched["failure"] == "network")
            #expect(try await service.last(#"{"do":"kill"}"#)["ok"] == true)
            #expect(try await service.last(#"{"do":"queue"}"#)["error"] == "notInitialized")
            let again = try await service.last(#"{"do":"configure"}"#)
            #expect(again["device-id"] == begun["device-id"])
            // Now it is online, and the cache is empty still.
            #expect(try await service.last(#"{"do":"fetch","points":["home_hero"]}"#)["source"] == "network")
        }
    }

    @Test func `a wrong app source is the library's error`() async throws {
        try await PlayedService.with { service in
            let result = try await service.last(#"{"do":"configure","app-source-id":"shop"}"#)
            #expect(result["error"] == "invalidConfiguration")
            #expect(try await service.last(#"{"do":"configure"}"#)["ok"] == true)
        }
    }

    @Test func `content that is not shown, or has no such item, is not reported`() async throws {
        try await PlayedService.with { service in
            try await service.play(
                """
                {"do":"configure","defaults":{"nowhere":{"data":[{"title":"Tea"}]}}}
                {"do":"consent","value":"opt-in"}
                {"do":"fetch","points":["home_recommendations","nowhere"]}
                """)
            #expect(
                try await service.last(#"{"do":"appear","point":"home_hero","item":0}"#)["error"] == "notShown")
            #expect(
                try await service.last(#"{"do":"tap","point":"home_recommendations","item":3}"#)["error"] == "noItem")
            #expect(try await service.last(#"{"do":"dismiss","point":"nowhere","item":0}"#)["error"] == "missingID")
        }
    }

    @Test func `a service that is silent makes the fetch time out in real time, which virtual time follows`()
        async throws
    {
        try await PlayedService.with(
            """
            points:
              - {name: home_hero, decisions: [{id: everybody, content: {title: Hello}}]}
            faults:
              - {match: {path: decisions}, effect: {silence: true}, count: 1}
            """
        ) { service in
            let result = try await service.last(
                """
                {"do":"configure"}
                {"do":"consent","value":"opt-in"}
                {"do":"fetch","points":["home_hero"],"timeout":0.04}
                """)
            #expect(result["source"] == "default" && result["failure"] == "timeout")
            // The request without an answer is still under way, and hinders no other.
            let other = try await service.last(#"{"do":"fetch","points":["home_hero"],"context":{"category":"Tea"}}"#)
            #expect(other["source"] == "network")
            // A moment that passes in real time too.
            #expect(try await service.last(#"{"do":"advance","by":"1ms"}"#)["ok"] == true)
        }
    }

    @Test func `a request of the former process is not answered into the next one`() async throws {
        try await PlayedService.with(
            """
            points:
              - {name: notification_landing_recs, decisions: [{id: everybody, content: {title: Hello}}]}
            faults:
              - {match: {path: decisions}, effect: {silence: true}, count: 1}
            """
        ) { service in
            let results = try await service.play(
                """
                {"do":"configure"}
                {"do":"consent","value":"opt-in"}
                {"do":"flush"}
                {"do":"open-push","request-id":"n-1","payload":{"type":"PERSONALIZED"}}
                {"do":"kill"}
                {"do":"configure"}
                {"do":"wait"}
                {"do":"open-push","request-id":"n-1","payload":{"type":"PERSONALIZED"}}
                {"do":"wait"}
                """)
            #expect(results.map(\.isOK) == Array(repeating: true, count: 9))
            #expect(results[6].json["shown"] == nil)
            #expect(results[7].json["event"] == "repeated")
            #expect(results[8].json["shown"]?.array?.count == 1)
            #expect(service.kinds == ["Opt In", "Push Notification Open"])
        }
    }

    @Test func `what a push has fetched is in the result of the next step that waits`() async throws {
        try await PlayedService.with { service in
            let results = try await service.play(
                """
                {"do":"configure"}
                {"do":"consent","value":"opt-in"}
                {"do":"open-push","request-id":"n-1","payload":{"type":"PERSONALIZED"}}
                {"do":"fetch","points":["home_hero"]}
                {"do":"flush"}
                {"do":"wait"}
                {"do":"wait"}
                """)
            #expect(results.map { $0.json["shown"] != nil } == [false, false, false, false, false, true, false])
        }
    }

    @Test func `attributes of an anonymous person are set and removed`() async throws {
        try await PlayedService.with { service in
            let results = try await service.play(
                """
                {"do":"configure"}
                {"do":"consent","value":"opt-in"}
                {"do":"identify","attributes":{"tier":"gold"}}
                {"do":"flush"}
                {"do":"fetch","points":["home_hero"]}
                {"do":"identify","attributes":{"tier":null}}
                {"do":"identify","attributes":{"email":"kim@example.com"}}
                """)
            #expect(
                results[4].json["personalizations"]?.array?.first?["attributes"]?["title"] == "Welcome back",
                "\(results[4].json)")
            #expect(results[5].isOK)
            #expect(results[6].json["error"] == "invalidValue")
        }
    }

    @Test func `a push may bring only what is configured`() async throws {
        try await PlayedService.with { service in
            let results = try await service.play(
                """
                {"do":"configure","push-points":["home_hero"],"push-context":["colour"],"link-hosts":["shop.example.com"]}
                {"do":"consent","value":"opt-in"}
                {"do":"open-push","payload":{"type":"PERSONALIZED","personalization":{"points":["notification_landing_recs"],\
                "context":{"category":"Kettles"},"link":"https://www.example.com/p/1.html"}}}
                {"do":"wait"}
                {"do":"route","url":"https://shop.example.com/p/kettle-1.html"}
                """)
            #expect(results[2].json["issues"]?.array?.count == 2 && results[2].json["route"] == .null)
            let shown = results[3].json["shown"]?.array?.first
            #expect(
                shown?["personalizations"]?.array?.compactMap { $0["personalizationPointName"] } == ["home_hero"])
            #expect(results[4].json["route"] == ["product": "1"])
        }
    }
}
