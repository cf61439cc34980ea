extension DoctorCheck {
    static let keyFile = DoctorCheck(
        id: "key-file", layer: .key,
        summary: "The file of the key can be read.",
        cause: "The secret is not mounted, is mounted at another path, or belongs to another user.",
        next: "check the path, and that the user of the server can read it",
        subject: \.key
    ) { key in
        if let unreadable = key.unreadable { return .fail(unreadable) }
        guard key.isInVariable else {
            let note = key.file?.special.map { "; it is \($0) and no regular file, and may be read only once" }
            return .pass("\(key.source) can be read\(note ?? "")")
        }
        return .fail(
            "\(key.source) has the text of the key itself, and apns takes the path of a file there",
            next: "store the key in a file with mode 0600 and give its path; a Swift server can read the variable with "
                + "SigningKey(environment:)")
    }
}
