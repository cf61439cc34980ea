import Foundation
import Testing

@testable import APNSModel

struct ExpirationTests {
    @Test func `a negative number is refused`() {
        #expect(Expiration(secondsSince1970: -1) == nil)
        #expect(Expiration(secondsSince1970: 0) == .once)
        #expect(Expiration(secondsSince1970: .max)?.secondsSince1970 == .max)
    }

    @Test func `one is encoded as its seconds, which are checked again`() throws {
        let json = try JSONEncoder().encode([Expiration.once])
        #expect(String(decoding: json, as: UTF8.self) == "[0]")
        #expect(try JSONDecoder().decode([Expiration].self, from: json) == [.once])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Expiration].self, from: Data("[-1]".utf8)) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Expiration].self, from: Data("[\"1\"]".utf8)) }
    }

    @Test func `a recorded one keeps what APNs refuses`() {
        #expect(Expiration(recorded: -5).secondsSince1970 == -5)
    }
}
