import APNSModel
import DevelopmentCredentials
import GatewayServer
import GatewayTestSupport
import GatewayTesting
import HTTP2Session
import ProviderToken
import TLSSession

@testable import GatewayTesting

/// A request that the gateway accepts, before something of it is changed.
struct ReasonRequest: Sendable {
    var method = "POST"
    var path = "/3/device/ab12"
    /// In the order in which they are sent; one without a value is left out.
    var headers: [(name: StaticString, value: String?)] = [
        ("apns-topic", "com.example.agent"), ("apns-push-type", "background"), ("apns-priority", "5"),
    ]
    var body = silent

    init() {}

    subscript(header: StaticString) -> String? {
        get { headers.first { "\($0.name)" == "\(header)" }?.value ?? nil }
        set {
            if let index = headers.firstIndex(where: { "\($0.name)" == "\(header)" }) {
                headers[index].value = newValue
            } else {
                headers.append((header, newValue))
            }
        }
    }

    static func broadcast(to channel: String) -> ReasonRequest {
        var request = ReasonRequest()
        request.path = "/4/broadcasts/apps/com.example.agent"
        request.headers = [
            ("apns-channel-id", channel), ("apns-push-type", "liveactivity"), ("apns-priority", "10"),
            ("apns-expiration", "0"),
        ]
        request.body = #"{"aps":{"timestamp":1800000000,"event":"update","content-state":{"score":3}}}"#
        return request
    }

    static let createChannel: ReasonRequest = {
        var request = ReasonRequest()
        request.path = "/1/apps/com.example.agent/channels"
        request.headers = []
        request.body = #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#
        return request
    }()

    /// - Parameter authorization: Nil leaves it out.
    func fields(_ authorization: String?) -> [(StaticString, String)] {
        var fields: [(StaticString, String)] = [
            (":method", method), (":scheme", "https"), (":path", path), (":authority", "localhost"),
        ]
        if let authorization { fields.append(("authorization", authorization)) }
        return fields + headers.compactMap { header in header.value.map { (header.name, $0) } }
    }
}

/// What a provider signs with.
struct ReasonSigner: Sendable {
    var key: SigningKey
    var keyID: KeyID
    var teamID: TeamID
    /// Seconds since 1970.
    var issuedAt: Int64

    var authorization: String {
        get throws {
            "bearer " + (try SignedToken(keyID: keyID, teamID: teamID, issuedAt: issuedAt, key: key).text)
        }
    }
}

extension TestGateway {
    /// The key that the gateway knows, by the gateway's clock.
    var signer: ReasonSigner {
        ReasonSigner(key: signingKey, keyID: keyID, teamID: teamID, issuedAt: running.now / 1000)
    }

    /// What the answers on one connection say, in order: the status and the body. A GOAWAY ends the list.
    ///
    /// - Parameter requests: Sent one after the other, each with its provider token; nil sends none.
    func answers(
        to requests: [(ReasonRequest, authorization: String?)], certificate: CertificateKind? = nil
    ) async throws -> [String] {
        let identity = try certificate.map { try running.credentials.certificate($0) }
        let sender = try await RawSender(port: running.port, caPEM: caPEM, identity: identity)
        var events = sender.observed.makeAsyncIterator()
        var answers: [String] = []
        for (index, (request, authorization)) in requests.enumerated() {
            try await sender.submit(request.fields(authorization), body: request.body)
            let (answer, before) = await sender.answer(on: Int32(1 + 2 * index), &events)
            if let goAway = before.compactMap(\.debugData).last {
                answers.append("GOAWAY \(goAway)")
                break
            }
            let status = answer.headers.first?.split(separator: " ").last ?? "none"
            answers.append(answer.body.isEmpty ? "\(status)" : "\(status) \(answer.body)")
        }
        try await sender.close()
        return answers
    }

    /// The answer to one request with a good provider token.
    func answer(to request: ReasonRequest) async throws -> String {
        try await answers(to: [(request, try signer.authorization)]).first ?? "no answer"
    }

    /// Tells the control API something, which has to take it.
    func callControl(_ method: String, _ path: String, _ body: String? = nil) async throws {
        let answer = try await control.call(method, path, body)
        guard (200..<300).contains(answer.status) else { throw TestGatewayError("\(method) \(path): \(answer.body)") }
    }

    /// Registers a key that no provider has used yet.
    ///
    /// - Parameter members: What the key has beside its ids, as JSON members.
    func registerKey(_ members: String) async throws -> ReasonSigner {
        var signer = signer
        signer.key = try SigningKey.generate()
        guard let keyID = KeyID("SECONDKEY1") else { throw TestGatewayError("a key id") }
        signer.keyID = keyID
        let pem = signer.key.publicKey.pem.split(separator: "\n").joined(separator: "\\n")
        try await callControl(
            "POST", "/api/keys",
            #"{"key-id":"\#(keyID)","team-id":"\#(teamID)","public-key":"\#(pem)",\#(members)}"#)
        return signer
    }

    /// Creates a channel that stores nothing.
    func createChannel() async throws -> String {
        let sender = try await RawSender(port: running.port, caPEM: caPEM)
        var events = sender.observed.makeAsyncIterator()
        try await sender.submit(
            ReasonRequest.createChannel.fields(try signer.authorization), body: ReasonRequest.createChannel.body)
        let (answer, _) = await sender.answer(on: 1, &events)
        try await sender.close()
        let prefix = "apns-channel-id: "
        return String(answer.headers.first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count) ?? "")
    }
}

extension RawSender.Observed {
    fileprivate var debugData: String? { if case .goAway(_, _, let data) = self { data } else { nil } }
}
