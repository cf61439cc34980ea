import Testing

@testable import apns

struct BatchFingerprintTests {
    private func fingerprint(_ parts: [String]) -> String {
        var fingerprint = BatchFingerprint()
        for part in parts { fingerprint.add(part) }
        return fingerprint.text
    }

    @Test func `it has 32 digits and is the same for the same parts`() {
        #expect(fingerprint(["a", "b"]) == fingerprint(["a", "b"]))
        #expect(fingerprint([]).wholeMatch(of: /[0-9a-f]{32}/) != nil)
    }

    @Test func `order, borders and content of the parts count`() {
        let all = [["a", "b"], ["b", "a"], ["ab"], ["ab", ""], ["", "ab"], ["a", "c"], []].map { fingerprint($0) }
        #expect(Set(all).count == all.count)
    }
}
