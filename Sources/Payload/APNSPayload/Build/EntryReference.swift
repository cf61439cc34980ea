/// What an entry update names: one entry, or all entries of one experience (docs/reference/personalization.md 13.4).
public struct EntryReference: Hashable, Sendable {
    public enum Subject: Hashable, Sendable {
        /// `sys.id` of the entry.
        case entry(String)
        /// `nt_experience_id` of the experience, not the id of its entry.
        case experience(String)
    }

    public let subject: Subject
    /// The locale that has changed, such as `en-US`; nil for all.
    public let locale: String?

    /// The value of the key `type`, unless the app uses another one.
    public static let defaultType = "ENTRY_UPDATE"

    /// - Throws: An error that names what the app would not take.
    public init(_ subject: Subject, locale: String? = nil) throws(EntryReferenceError) {
        switch subject {
        case .entry(let id), .experience(let id): guard EntryReference.isID(id) else { throw .badID(id) }
        }
        if let locale, !EntryReference.isID(locale) { throw .badLocale(locale) }
        (self.subject, self.locale) = (subject, locale)
    }

    /// The most characters of an id.
    static let maximumIDLength = 64

    /// Whether it can be the id of an entry or an experience, or a locale: 1 to 64 letters, digits, `_`, `-` and `.`.
    static func isID(_ text: String) -> Bool {
        text.utf8.count <= maximumIDLength && PersonalizedText.isName(text)
    }

    /// The app's own data with the keys of the reference.
    ///
    /// - Throws: If it has one of these keys already.
    func added(to custom: CustomData, type: String) throws(EntryReferenceError) -> CustomData {
        var values = custom.values
        for key in ["type", "entryId", "experienceId", "locale"] where values[key] != nil { throw .reservedKey(key) }
        values["type"] = .string(type)
        switch subject {
        case .entry(let id): values["entryId"] = .string(id)
        case .experience(let id): values["experienceId"] = .string(id)
        }
        if let locale { values["locale"] = .string(locale) }
        do throws(ReservedKeyError) {
            return try CustomData(values)
        } catch {
            throw .reservedKey(error.key)
        }
    }
}

/// Why an entry update cannot be built.
public enum EntryReferenceError: Error, Hashable, Sendable, CustomStringConvertible {
    case badID(String)
    case badLocale(String)
    /// A key of the app's own data that the push has itself.
    case reservedKey(String)

    public var description: String {
        let form = "1 to \(EntryReference.maximumIDLength) letters, digits, _, - and ."
        switch self {
        case .badID(let id): return "\"\(id)\" cannot be the id of an entry or an experience: it must have \(form)"
        case .badLocale(let locale):
            return "\"\(locale)\" cannot be a locale: it must have \(form); leave it out for all locales"
        case .reservedKey(let key): return "\"\(key)\" is a key of the entry update itself; use another name"
        }
    }
}
