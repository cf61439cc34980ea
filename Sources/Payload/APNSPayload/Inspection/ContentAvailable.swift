import PayloadJSON

/// The value of `content-available` in `aps`.
enum ContentAvailable: Hashable, Sendable {
    case absent
    /// The number 1.
    case one(JSONIndex)
    /// `true`, or 1 with a fraction or an exponent, which a device may read as 1.
    case likeOne(JSONIndex)
    case null(JSONIndex)
    case other(JSONIndex)

    init(_ value: JSONIndex?, of document: borrowing JSONDocument) {
        guard let value else {
            self = .absent
            return
        }
        switch document.kind(of: value) {
        case .integer: self = document.isOne(value) ? .one(value) : .other(value)
        case .fraction: self = document.number(of: value) == 1 ? .likeOne(value) : .other(value)
        case .true: self = .likeOne(value)
        case .null: self = .null(value)
        case .false, .string, .array, .object: self = .other(value)
        }
    }

    /// Whether the payload asks to wake the app, or probably does.
    var isSet: Bool {
        switch self {
        case .one, .likeOne: true
        case .absent, .null, .other: false
        }
    }
}
