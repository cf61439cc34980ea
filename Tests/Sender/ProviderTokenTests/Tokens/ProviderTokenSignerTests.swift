import APNSModel
import Synchronization
import Testing

@testable import ProviderToken

/// A source whose key is elsewhere.
@Suite struct ProviderTokenSignerTests {
    /// Signs as the test says, and counts.
    private final class Signer: ProviderTokenSigner {
        struct Silence: Error {}

        let key: SigningKey
        let isDER: Bool
        let calls = Mutex(0)
        let fails = Mutex(false)

        init(isDER: Bool = false) throws {
            key = try .generate()
            self.isDER = isDER
        }

        func signature(for message: [UInt8]) async throws -> [UInt8] {
            calls.withLock { $0 += 1 }
            if fails.withLock({ $0 }) { throw Silence() }
            let raw = try key.signature(for: message)
            return isDER ? try #require(ECDSASignature(raw: raw)).der : raw
        }
    }

    private let start: Int64 = 1_700_000_000

    private func source(_ signer: some ProviderTokenSigner) -> ProviderTokenSource {
        ProviderTokenSource(signer: signer, keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!)
    }

    private func token(_ source: ProviderTokenSource, after seconds: Int64) throws(KeyError) -> SignedToken? {
        try source.token(now: .zero + .seconds(seconds), wallClock: start + seconds)
    }

    /// Asks until there is a token other than `old`.
    private func next(
        _ source: ProviderTokenSource, after seconds: Int64, replacing old: SignedToken? = nil
    ) async throws -> SignedToken {
        while true {
            if let token = try token(source, after: seconds), token != old { return token }
            await Task.yield()
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    func `a token is signed elsewhere, with a raw signature or one in DER`(isDER: Bool) async throws {
        let signer = try Signer(isDER: isDER)
        let source = source(signer)
        #expect(try token(source, after: 0) == nil)
        let token = try await next(source, after: 0)
        let read = try ParsedToken(authorization: token.authorization, strictness: .strict)
        #expect(read.isSigned(by: signer.key.publicKey) && read.issuedAt == start)
        #expect(signer.calls.withLock { $0 } == 1)
    }

    @Test(.timeLimit(.minutes(10)))
    func `while the next token is signed the present one is used`() async throws {
        let source = source(try Signer())
        let first = try await next(source, after: 0)
        #expect(try token(source, after: 3_000) == first)
        #expect(try await next(source, after: 3_000, replacing: first) != first)
    }

    @Test(.timeLimit(.minutes(10)))
    func `another signer signs at once, also within 20 minutes, and its tokens can be told apart`() async throws {
        let previous = try Signer()
        let source = source(previous)
        let first = try await next(source, after: 0)
        source.accepted(first)
        let other = try Signer()
        source.replaceSigner(other, keyID: KeyID("KEY0000002")!)
        #expect(try token(source, after: 1) == nil, "the token of the previous signer is not sent any more")
        let second = try await next(source, after: 1)
        let read = try ParsedToken(authorization: second.authorization, strictness: .strict)
        #expect(read.isSigned(by: other.key.publicKey) && !read.isSigned(by: previous.key.publicKey))
        #expect(read.keyID == "KEY0000002" && read.teamID == "TEAM123456" && read.issuedAt == start + 1)
        #expect(first.keyNumber != second.keyNumber)
        #expect(source.keyID == KeyID("KEY0000002"))
        #expect(previous.calls.withLock { $0 } == 1)
        #expect(other.calls.withLock { $0 } == 1)
        source.refused(first, .expiredProviderToken)  // a late answer
        #expect(source.replacementDue == nil)
        #expect(try token(source, after: 2) == second)
    }

    @Test(.timeLimit(.minutes(10)))
    func `a signer can take the place of a key of this process, and comes with its team id`() async throws {
        let source = ProviderTokenSource(
            key: try .generate(), keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!)
        let first = try #require(try token(source, after: 0))
        let signer = try Signer()
        source.replaceSigner(signer, keyID: KeyID("KEY0000002")!, teamID: TeamID("TEAM000002")!)
        let second = try await next(source, after: 1)
        let read = try ParsedToken(authorization: second.authorization, strictness: .strict)
        #expect(read.isSigned(by: signer.key.publicKey))
        #expect(read.keyID == "KEY0000002" && read.teamID == "TEAM000002")
        #expect(first.keyNumber != second.keyNumber)
    }

    @Test(.timeLimit(.minutes(10)))
    func `a signer that fails is reported, and asked again after growing waits`() async throws {
        let signer = try Signer()
        signer.fails.withLock { $0 = true }
        let source = source(signer)
        await #expect(throws: KeyError.self) { _ = try await next(source, after: 0) }
        #expect(signer.calls.withLock { $0 } == 1)
        #expect(throws: KeyError.self) { _ = try token(source, after: 0) }
        await #expect(throws: KeyError.self) { _ = try await next(source, after: 1) }
        #expect(throws: KeyError.self) { _ = try token(source, after: 2) }
        #expect(signer.calls.withLock { $0 } == 2)
        signer.fails.withLock { $0 = false }
        _ = try await next(source, after: 3)
    }
}
