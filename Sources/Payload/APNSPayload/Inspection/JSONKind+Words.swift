import PayloadJSON

extension JSONKind {
    /// The kind with its article, for messages.
    var inWords: String {
        switch self {
        case .null: "null"
        case .true: "true"
        case .false: "false"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        case .integer, .fraction: "a number"
        }
    }
}
