import PayloadJSON
import Testing

@testable import APNSPayload

struct CheckCacheTests {
    private func index(_ payload: String) throws -> KeyIndex {
        var index = KeyIndex()
        index.read(try JSONDocument(Array(payload.utf8)))
        return index
    }

    @Test func `the checks of an entry are found for the same forms and no others`() throws {
        var cache = CheckCache()
        let first = try index(#"{"aps":{"alert":"Hi","badge":2}}"#)
        #expect(cache.slot(of: first.found, first.forms) == nil)
        cache.insert([5, 7], for: first.found, first.forms)
        let same = try index(#"{"aps":{"badge":75,"alert":"Other"}}"#)
        let slot = try #require(cache.slot(of: same.found, same.forms))
        #expect(cache.positions(slot, 0) == 5 && cache.positions(slot, 1) == 7)
        for other in [
            #"{"aps":{"alert":"Hi","badge":0}}"#, #"{"aps":{"alert":"","badge":2}}"#, #"{"aps":{"alert":"Hi"}}"#,
            #"{"aps":{"alert":"Hi","badge":2},"x":1}"#, #"{"aps":{"alert":{"body":"Hi"},"badge":2}}"#, "{}",
        ] {
            let other = try index(other)
            #expect(cache.slot(of: other.found, other.forms) == nil)
        }
        cache.removeAll()
        #expect(cache.slot(of: first.found, first.forms) == nil)
    }

    @Test func `a rule that found something runs again, and so does one that reads a value`() throws {
        var validator = Validator(rules: [.interruptionLevelValue, .badgeRange])
        for (payload, findings) in [
            (#"{"aps":{"badge":-1,"interruption-level":"passive"}}"#, 1),
            (#"{"aps":{"badge":2,"interruption-level":"passive"}}"#, 0),
            (#"{"aps":{"badge":2,"interruption-level":"high"}}"#, 1),
            (#"{"aps":{"badge":3,"interruption-level":"active"}}"#, 0),
            (#"{"aps":{"badge":-1,"interruption-level":"high"}}"#, 2),
            (#"{"aps":{"badge":3,"interruption-level":"low"}}"#, 1),
        ] {
            let found = Array(payload.utf8).withUnsafeBytes { validator.findings(forPayload: $0) }
            #expect(found?.count == findings, "\(payload)")
        }
    }

    @Test(arguments: [("alert", "alert-shows-nothing"), (nil, "push-does-nothing")] as [(String?, String)])
    func `a passive sound is found after another of the same form`(pushType: String?, rule: String) {
        var validator = Validator()
        func rules(_ level: String) -> [String]? {
            let text = Array(#"{"aps":{"sound":"a.caf","interruption-level":"\#(level)"}}"#.utf8)
            return text.withUnsafeBytes { validator.findings(forPayload: $0, pushType: pushType)?.map(\.rule) }
        }
        for _ in 0..<3 {
            #expect(rules("active") == [])
            #expect(rules("passive") == [rule])
        }
    }

    @Test func `the cache is not used for payloads with other headers`() {
        var validator = Validator()
        let text = Array(#"{"aps":{"alert":"Hi","sound":"a"}}"#.utf8)
        func rules(_ topic: String?, _ pushType: String?) -> [String]? {
            text.withUnsafeBytes { validator.findings(forPayload: $0, topic: topic, pushType: pushType)?.map(\.rule) }
        }
        for _ in 0..<3 {
            #expect(rules(nil, nil) == [])
            #expect(
                rules(nil, "background") == ["background-content-available", "background-alert", "background-sound"])
            #expect(rules("pass.com.example.ticket", nil) == ["wallet-content"])
            #expect(rules("com.example", "alert") == [])
        }
    }
}
