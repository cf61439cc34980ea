import ProviderToken

extension DoctorCheck {
    static let keyKind = DoctorCheck(
        id: "key-kind", layer: .key,
        summary: "The file has the P-256 private key of an APNs key.",
        cause: "Another file was taken: a certificate, a public key, the key of a certificate, or an encrypted key.",
        next: "take the .p8 file of a key with the service APNs, from Keys in the developer account",
        subject: { $0.key.flatMap { $0.form.seen(or: "the key could not be read") } }
    ) { form in
        if form.hasKey {
            return .pass(
                "it is a P-256 private key; whether Apple knows it as an APNs key is seen by the check identity")
        }
        guard form.isOtherKind, let problem = form.problem else {
            return .skip("the text has no key that could be looked at")
        }
        return .fail(problem.detail)
    }
}
