import APNSModel
import Testing

@testable import ProviderToken

@Suite struct ProviderTokenSourceTests {
    private let source: ProviderTokenSource
    private let key: SigningKey
    private let start: Int64 = 1_700_000_000

    init() throws {
        key = try SigningKey.generate()
        source = ProviderTokenSource(key: key, keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!)
    }

    private func token(after seconds: Int64) throws -> SignedToken {
        try #require(try source.token(now: .zero + .seconds(seconds), wallClock: start + seconds))
    }

    @Test func `the header value is a good token`() throws {
        let token = try token(after: 0)
        #expect(token.authorization == Array("bearer \(token.text)".utf8))
        let read = try ParsedToken(authorization: token.authorization, strictness: .strict)
        #expect(read.isSigned(by: key.publicKey))
        #expect(read.issuedAt == start && read.keyID == "ABC123DEFG" && read.teamID == "TEAM123456")
    }

    @Test func `many connections that ask at once get one token`() async throws {
        let source = source
        let start = start
        let tokens = try await withThrowingTaskGroup(of: SignedToken.self) { group in
            for _ in 0..<100 {
                group.addTask { try #require(try source.token(now: .zero, wallClock: start)) }
            }
            return try await group.reduce(into: Set<SignedToken>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
    }

    @Test func `another key signs at once, also within 20 minutes, and its tokens can be told apart`() throws {
        let first = try token(after: 0)
        source.accepted(first)
        let other = try SigningKey.generate()
        source.replaceKey(other, keyID: KeyID("KEY0000002")!)
        let second = try token(after: 1)
        let read = try ParsedToken(authorization: second.authorization, strictness: .strict)
        #expect(read.isSigned(by: other.publicKey) && !read.isSigned(by: key.publicKey))
        #expect(read.keyID == "KEY0000002" && read.teamID == "TEAM123456" && read.issuedAt == start + 1)
        #expect(first.keyNumber != second.keyNumber)
        #expect(source.keyID == KeyID("KEY0000002"))
        source.refused(first, .expiredProviderToken)  // a late answer
        #expect(source.replacementDue == nil)
        #expect(try token(after: 2) == second)
    }

    @Test func `a key of another team comes with its team id`() throws {
        source.replaceKey(try .generate(), keyID: KeyID("KEY0000002")!, teamID: TeamID("TEAM000002")!)
        #expect(try ParsedToken(authorization: token(after: 0).authorization).teamID == "TEAM000002")
    }

    @Test func `a source shows no key material and no token`() throws {
        let token = try token(after: 0)
        var text = "\(source)"
        dump(source, to: &text)
        #expect(text.contains("ABC123DEFG") && !text.contains(token.text))
    }

    @Test func `the token changes at 50 minutes, and once`() throws {
        let first = try token(after: 0)
        #expect(try token(after: 2_999) == first)
        let second = try token(after: 3_000)
        #expect(second != first)
        #expect(try token(after: 3_001) == second)
        #expect(try ParsedToken(authorization: second.authorization).issuedAt == start + 3_000)
    }

    @Test func `a refused token is replaced once it is 20 minutes old`() throws {
        let first = try token(after: 0)
        source.refused(first, .expiredProviderToken)
        #expect(source.replacementDue == .zero + .seconds(1_200))
        #expect(try token(after: 1_199) == first)
        #expect(try token(after: 1_200) != first)
        #expect(source.replacementDue == nil)
    }
}
