import APNSModel
import ProviderToken
import TLSSession
import Testing

@testable import DevelopmentCredentials

struct CertificateKindTests {
    private static let credentials = Result { () throws(CredentialsError) in
        try DevelopmentCredentials.make(at: 1_800_000_000)
    }

    /// The UID of the certificate, its environments and its list of topics.
    static let kinds: [(kind: CertificateKind, uid: String, sandbox: Bool, production: Bool, topics: [String])] = [
        (.universal, "a.b", true, true, ["a.b", "a.b.voip", "a.b.complication"]), (.sandbox, "a.b", true, false, []),
        (.production, "a.b", false, true, []), (.voip, "a.b", true, true, []),
        (.complication, "a.b", true, true, ["a.b", "a.b.complication"]),
        (.liveactivity, "a.b", true, true, ["a.b", "a.b.push-type.liveactivity"]),
        (.mdm, CertificateKind.mdmTopic, false, true, []), (.pass, "pass.a.b", false, true, []),
        (.website, "web.a.b", false, true, []), (.expired, "a.b", true, true, ["a.b", "a.b.voip", "a.b.complication"]),
        (.untrusted, "a.b", true, true, ["a.b", "a.b.voip", "a.b.complication"]),
    ]

    @Test func `each kind has its UID, its environments and its topics`() {
        #expect(Self.kinds.map(\.kind) == CertificateKind.allCases)
        for (kind, uid, sandbox, production, topics) in Self.kinds {
            let request = kind.request(bundleID: "a.b", teamID: "ABCDE12345")
            #expect(request.bundleID == uid && request.teamID == "ABCDE12345", "\(kind)")
            #expect(request.allowsSandbox == sandbox && request.allowsProduction == production, "\(kind)")
            #expect(request.isVoIP == (kind == .voip), "\(kind)")
            #expect(request.topics.map(\.topic) == topics, "\(kind)")
        }
    }

    @Test func `a certificate is valid for the days that are asked for, and an expired one ended yesterday`() throws {
        let credentials = try Self.credentials.get()
        let good = try credentials.certificate(.universal, days: 10, at: 1_800_000_000).certificate
        #expect(good.notBefore == 1_800_000_000 - 3600 && good.notAfter == 1_800_000_000 + 10 * 86_400)
        #expect(good.userID == credentials.topic.bundleID && good.organizationalUnit == credentials.teamID.value)
        let expired = try credentials.certificate(.expired, bundleID: "a.b", days: 10, at: 1_800_000_000).certificate
        #expect(expired.notBefore == 1_800_000_000 - 11 * 86_400 && expired.notAfter == 1_800_000_000 - 86_400)
        #expect(expired.userID == "a.b")
    }
}
