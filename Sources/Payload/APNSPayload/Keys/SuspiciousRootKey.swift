/// Names of the root that some rules report: headers, secrets, and keys of `aps` that are in the root.
///
/// They are found in the same pass as the known keys, so these rules do not run for a payload without one.
enum SuspiciousRootKey {
    static let all: [String] = {
        let headers = EnvelopeKey.headers.map(\.name)
        return Set(headers + Rule.secretNames + Rule.namesMisplacedInRoot + ["content-available"]).sorted()
    }()
}
