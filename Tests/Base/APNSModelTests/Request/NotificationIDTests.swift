import TestSeeds
import Testing

@testable import APNSModel

struct NotificationIDTests {
    private static let text = "eabeae54-14a8-11e5-b60b-1697f925ec7b"

    @Test func `the spelling is kept, and case does not matter to equality`() throws {
        let lower = try #require(NotificationID(Self.text))
        let upper = try #require(NotificationID(Self.text.uppercased()))
        #expect(lower == upper && lower.hashValue == upper.hashValue)
        #expect(lower.text == Self.text && upper.text == Self.text.uppercased())
        #expect("\(lower)" == Self.text)
        #expect(NotificationID(checking: Self.text) == lower)
        #expect(NotificationID("eabeae54-14a8-11e5-b60b-1697f925ec7c") != lower)
    }

    @Test func `a string with any character changed is refused, unless it stays a digit`() {
        for place in Self.text.indices {
            for character in ["g", "-", " ", "0", "é", "/", ":", "@", "`", "G"] {
                let changed = Self.text.replacingCharacters(at: place, with: character)
                let isHyphen = Self.text[place] == "-"
                let isGood = character == (isHyphen ? "-" : "0")
                #expect((NotificationID(changed) != nil) == isGood, "\(changed)")
                #expect((NotificationID(checking: changed) != nil) == isGood)
            }
        }
    }

    @Test(arguments: ["", "eabeae5414a811e5b60b1697f925ec7b", "{eabeae54-14a8-11e5-b60b-1697f925ec7b}"])
    func `another form of a UUID is refused`(text: String) {
        #expect(NotificationID(text) == nil)
        #expect(NotificationID(Self.text.dropLast()) == nil)
        #expect(NotificationID(Self.text + "0") == nil)
    }

    @Test(arguments: TestSeed.all(1...20))
    func `one that is made has its 128 bits in upper case`(seed: TestSeed) throws {
        var generator = seed.generator
        var copy = generator
        let id = NotificationID(using: &generator)
        #expect(try #require(NotificationID(id.text)) == id)
        #expect(id.text == id.text.uppercased() && id.text.utf8.count == NotificationID.count)
        let (high, low) = (copy.next(), copy.next())
        let digits = id.text.replacing("-", with: "")
        #expect(UInt64(digits.prefix(16), radix: 16) == high)
        #expect(UInt64(digits.suffix(16), radix: 16) == low)
        #expect(NotificationID.lowercase(high, low) == id.text.lowercased())
        NotificationID.withLowercase(high, low) { #expect(Array($0) == Array(id.text.lowercased().utf8)) }
        var other = seed.generator
        #expect(NotificationID.lowercase(using: &other) == id.text.lowercased())
    }

    @Test func `two that are made differ`() {
        #expect(NotificationID() != NotificationID())
    }
}

extension String {
    fileprivate func replacingCharacters(at place: Index, with other: String) -> String {
        self[..<place] + other + self[index(after: place)...]
    }
}
