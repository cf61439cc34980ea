/// Names of the app's own keys that make rules look closer: a header, a secret, a key of `aps` that stands in the root.
///
/// They are looked for in the pass that finds the known keys, so a payload without one costs these rules nothing.
enum SuspiciousRootKey {
    static let all: [String] = {
        let headers = EnvelopeKey.headers.map(\.name)
        return Set(headers + Rule.secretNames + Rule.namesMisplacedInRoot + ["content-available"]).sorted()
    }()
}
