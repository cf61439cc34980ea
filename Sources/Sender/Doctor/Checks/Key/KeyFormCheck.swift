import ProviderToken

extension DoctorCheck {
    static let keyForm = DoctorCheck(
        id: "key-form", layer: .key,
        summary: "The key has the text of a .p8 file as it was downloaded.",
        cause: #"A deployment changed it: literal \n, base64, quotation marks, a byte-order mark, lost line ends, "#
            + "text around it.",
        next: "copy the .p8 file again, byte for byte",
        subject: { $0.key.flatMap { $0.form.seen(or: "the key could not be read") } }
    ) { form in
        let odd = form.oddities.map(\.description).joined(separator: ", and ")
        let remedy = form.remedy
        guard let problem = form.problem else {
            guard !odd.isEmpty else { return .pass("it is a .p8 file in PEM") }
            return .warn("the key \(odd); apns reads it, and other senders may not", next: remedy)
        }
        if form.hasKey { return .fail("the key \(odd.isEmpty ? "is no .p8 file" : odd)", next: remedy) }
        if form.isOtherKind { return .pass("the file can be read; key-kind says what it is") }
        // What the remedy would write is no key either.
        return .fail(odd.isEmpty ? problem.detail : "the key \(odd); \(problem.detail)")
    }
}
