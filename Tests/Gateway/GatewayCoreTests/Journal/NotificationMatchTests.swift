import APNSModel
import APNSPayload
import PayloadJSON
import Testing

@testable import GatewayCore

struct NotificationMatchTests {
    func running(_ payloads: String...) throws -> Running {
        var running = try Scenario().run()
        for payload in payloads {
            try running.send(
                Scenario().with {
                    $0.body = Array(payload.utf8)
                    $0.head.apnsID = nil
                })
        }
        return running
    }

    func match(_ json: String) throws -> NotificationMatch {
        let document = try JSONDocument(Array(json.utf8))
        return try NotificationMatch(document, .root)
    }

    @Test(arguments: [
        (#"{}"#, true),
        (#"{"apns-topic":"com.example.agent"}"#, true),
        (#"{"topic":"com.example.agent"}"#, true),
        (#"{"apns-topic":"com.example.other"}"#, false),
        (#"{"apns-priority":5}"#, true),
        (#"{"apns-priority":"5"}"#, true),
        (#"{"apns-priority":[1,5]}"#, true),
        (#"{"apns-priority":[1,10]}"#, false),
        (#"{"apns-collapse-id":null}"#, true),
        (#"{"apns-collapse-id":false}"#, true),
        (#"{"apns-collapse-id":true}"#, false),
        (#"{"apns-push-type":true}"#, true),
        (#"{"outcome":"accepted","status":200,"reason":null}"#, true),
        (#"{"status":400}"#, false),
        (#"{"verified":true}"#, true),
        (#"{"verified":false}"#, false),
        (#"{"token":"\#(Scenario.token.uppercased())"}"#, true),
        (#"{"life":"stored"}"#, true),
        (#"{"life":"delivered"}"#, false),
        (#"{"life":["delivered","stored"],"request":"notification","environment":["sandbox"]}"#, true),
        (#"{"apns-push-type":"nope","reason":"Nope"}"#, false),
        (#"{"payload":{"aps":{"content-available":1}}}"#, true),
        (#"{"payload":{"n":1.5,"list":[1,{"a":"b"}],"none":null}}"#, true),
        (#"{"payload":{"n":1.25}}"#, false),
        (#"{"payload":{"list":[1]}}"#, false),
        (#"{"payload":{"list":[1,{"a":"b","c":1}]}}"#, false),
        (#"{"payload":{"n":null}}"#, false),
        (#"{"payload":{"one":1}}"#, true),
        (#"{"payload":{"yes":true}}"#, true),
        (#"{"payload":{"yes":1}}"#, false),
        (#"{"payload":{"aps":"content-available"}}"#, false),
    ])
    func `a match is met by what it names, and by whatever else`(json: String, isMet: Bool) throws {
        let running = try running(
            #"{"aps":{"content-available":1},"n":1.5,"one":1.0,"yes":true,"list":[1,{"a":"b","d":2}]}"#)
        let entry = try #require(running.world.notification(0))
        let match = try match(json)
        #expect(match.isMet(by: entry) == isMet)
        #expect((NearMiss(entry, match) == nil) == isMet)
    }

    @Test func `a body that is no JSON meets no match of a payload`() throws {
        let running = try running("{nope")
        let entry = try #require(running.world.notification(0))
        #expect(try match(#"{"payload":{}}"#).isMet(by: entry) == false)
        let miss = try #require(NearMiss(entry, try match(#"{"payload":{}}"#)))
        #expect(miss.differences.first?.found == #""5 bytes that are not JSON""#)
    }

    @Test(arguments: [
        (#"{"apns-topik":"x"}"#, "apns-topik"), (#"{"apns-topic":{}}"#, "apns-topic"), (#"{"status":1.5}"#, "status"),
        (#"{"reason":[]}"#, "reason"), (#"{"reason":["a",{}]}"#, "reason"), (#"{"payload":{"n":1e999}}"#, "payload"),
    ])
    func `an invalid match is reported with its key`(json: String, key: String) throws {
        do {
            _ = try match(json)
            Issue.record("it was taken")
        } catch let fault as NotificationMatch.ParseError {
            #expect(fault.key == key)
        }
    }

    @Test(arguments: [
        (#"{"outcome":"refusd"}"#, "one of accepted, refused, unprocessed; did you mean \"refused\"?"),
        (#"{"outcome":1}"#, "one of accepted, refused, unprocessed"),
        (#"{"life":["accepted","deliverd"]}"#, "did you mean \"delivered\"?"),
        (#"{"request":"brodcast"}"#, "did you mean \"broadcast\"?"),
        (#"{"environment":"Sandbox"}"#, "one of sandbox, production; did you mean \"sandbox\"?"),
        (#"{"verified":"yes"}"#, "one of true, false"),
    ])
    func `a value that no notification can have is refused`(json: String, wanted: String) throws {
        do {
            _ = try match(json)
            Issue.record("it was taken")
        } catch let fault as NotificationMatch.ParseError {
            #expect(fault.wanted?.hasSuffix(wanted) == true, "\(fault)")
        }
    }

    @Test(arguments: [(256, true), (257, false)])
    func `a match has a limited number of values in its payload`(count: Int, isTaken: Bool) throws {
        // Half of them are elements of an array.
        let half = count / 2
        let members = (1..<count - half).map { "\"k\($0)\":1" }.joined(separator: ",")
        let elements = Array(repeating: "1", count: half).joined(separator: ",")
        let json = #"{"payload":{\#(members),"list":[\#(elements)]}}"#
        do {
            let taken = try match(json)
            #expect(isTaken && taken.payload?.count == count)
        } catch let fault as NotificationMatch.ParseError {
            #expect(!isTaken && fault.wanted?.contains("it has \(count)") == true, "\(fault)")
        }
    }

    @Test func `one of many values is looked up, in upper or lower case where that does not matter`() throws {
        let running = try running("{}")
        let entry = try #require(running.world.notification(0))
        var match = NotificationMatch()
        let others = (0..<1000).map { "other\($0)" }
        match[.token] = .oneOf(others + [Scenario.token.uppercased()])
        match[.topic] = .oneOf(others + [Scenario.topic])
        #expect(match.isMet(by: entry))
        let capitals = NotificationMatch.Requirement.oneOf(others + [Scenario.topic.uppercased()])
        match[.topic] = capitals
        #expect(!match.isMet(by: entry))
        #expect(match[.topic] == capitals)
    }

    @Test func `a near miss names each field that differs`() throws {
        let running = try running(#"{"aps":{"content-available":1,"badge":3}}"#)
        let entry = try #require(running.world.notification(0))
        var match = try match(
            #"{"apns-topic":"com.example.agent","apns-priority":10,"apns-collapse-id":"a","reason":true,"life":"delivered"}"#
        )
        match.payload = PayloadMatch(["aps": ["badge": 4, "content-available": 1, "sound": "a/b"]])
        let miss = try #require(NearMiss(entry, match))
        #expect(
            miss.differences.map(\.description) == [
                "apns-priority: wanted 10, found 5",
                #"apns-collapse-id: wanted "a", found nothing"#,
                "reason: wanted true, found nothing",
                #"life: wanted "delivered", found ["accepted","stored"]"#,
                "payload/aps/badge: wanted 4, found 3",
                #"payload/aps/sound: wanted "a/b", found nothing"#,
            ])
        #expect(miss.agreements == 2)
    }

    @Test func `the nearest misses come first, and few of them`() throws {
        let running = try running(
            #"{"a":1,"b":1,"c":1}"#, #"{"a":1,"b":1}"#, #"{"a":1}"#, #"{}"#, #"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#,
            #"{"a":1,"b":1,"c":2}"#)
        let result = running.world.result(of: try match(#"{"payload":{"a":1,"b":1,"c":1}}"#))
        #expect(result.matched == 1)
        #expect(result.newest == [running.world.notification(0)?.uniqueID])
        #expect(result.nearMisses.map(\.sequence) == [6, 1, 5, 4, 2])
    }

    @Test func `long values are cut`() throws {
        let running = try running(#"{"a":"\#(String(repeating: "x", count: 2000))"}"#)
        let result = running.world.result(of: try match(#"{"payload":{"a":"y"}}"#))
        let found = try #require(result.nearMisses.first?.differences.first?.found)
        #expect(found.utf8.count < 300)
        #expect(found.hasSuffix("…\""))
    }
}
