package import TLSSession

/// Which credentials a user gave.
package enum GivenCredentials: Hashable, Sendable {
    /// - Parameter source: The path, or the name of the variable that has the text of the key itself.
    case key(source: String)
    case certificate(path: String)
    case none
}

/// What the system says about a file.
package struct FileFacts: Hashable, Sendable {
    /// The permission bits.
    package var mode: UInt32
    package var isOwn: Bool
    /// What it is where it is no regular file, such as `a pipe`; nil for a regular file.
    package var special: String?

    package init(mode: UInt32, isOwn: Bool, special: String? = nil) {
        self.mode = mode
        self.isOwn = isOwn
        self.special = special
    }

    /// Who else can read or change it, such as `its group and all users`; nil where nobody can, and where this process reads the
    /// file of another user as one of its group, as in a pod with an `fsGroup`.
    package var others: String? {
        let isGroupsOwn = !isOwn && mode & 0o077 == 0o040
        return switch (mode & 0o070 != 0 && !isGroupsOwn, mode & 0o007 != 0) {
        case (true, true): "its group and all other users"
        case (true, false): "its group"
        case (false, true): "all other users"
        case (false, false): nil
        }
    }

    /// Such as `0644`.
    package var modeText: String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// What is known about a signing key. It has no key material.
package struct KeyEvidence: Hashable, Sendable {
    /// The path, or the name of a variable.
    package var source: String
    /// Whether the key itself is in an environment variable, where the path of a file is expected.
    package var isInVariable: Bool
    /// Nil for a key in a variable.
    package var file: FileFacts?
    /// Why the file cannot be read; nil where it can.
    package var unreadable: String?
    /// Nil where the file cannot be read.
    package var form: KeyForm?
    /// As they were given.
    package var keyID: String?
    package var teamID: String?
    /// The key id in the name of the file.
    package var keyIDInName: String?

    package init(
        source: String, isInVariable: Bool = false, file: FileFacts? = nil, unreadable: String? = nil,
        form: KeyForm? = nil, keyID: String? = nil, teamID: String? = nil, keyIDInName: String? = nil
    ) {
        self.source = source
        self.isInVariable = isInVariable
        self.file = file
        self.unreadable = unreadable
        self.form = form
        self.keyID = keyID
        self.teamID = teamID
        self.keyIDInName = keyIDInName
    }
}

/// A provider token that was made, or kept from an earlier run.
package struct ProviderTokenEvidence: Hashable, Sendable {
    /// Why it cannot be made; nil where it was.
    package var failure: String?
    /// Seconds since it was signed, by the machine's clock.
    package var age: Int64
    package var isKept: Bool
    /// Whether the key's public half accepts the signature, and the token has the strict form.
    package var isSound: Bool
    /// Why it could not be kept on disk; nil where it was.
    package var notKept: String?
    /// How others could read or change the one of an earlier run, which was not used; nil where they could not.
    package var exposed: String?

    package init(
        failure: String? = nil, age: Int64 = 0, isKept: Bool = false, isSound: Bool = true, notKept: String? = nil,
        exposed: String? = nil
    ) {
        self.failure = failure
        self.age = age
        self.isKept = isKept
        self.isSound = isSound
        self.notKept = notKept
        self.exposed = exposed
    }
}

/// What is known about a client certificate.
package struct CertificateEvidence: Hashable, Sendable {
    package var path: String
    package var file: FileFacts?
    /// Why the file, or the pair of certificate and key, cannot be used; nil where it can.
    package var failure: String?
    package var facts: CertificateFacts?
    /// Seconds since 1970-01-01 UTC.
    package var now: Int64

    package init(
        path: String, file: FileFacts? = nil, failure: String? = nil, facts: CertificateFacts? = nil, now: Int64
    ) {
        self.path = path
        self.file = file
        self.failure = failure
        self.facts = facts
        self.now = now
    }
}
