import Foundation
import PushDispatch

/// A decision request, as it is sent (docs/reference/personalization.md 1.2).
///
/// All points of one request must read one profile graph: the service skips the others. ``DecisionClient`` groups them.
public struct DecisionRequest: Hashable, Sendable {
    /// How the service treats a request.
    public enum Flag: String, Hashable, Sendable, CaseIterable {
        /// Record nothing.
        case testMode = "TestMode"
        /// No look-up of the profile.
        case contextOnly = "ContextOnly"
        /// Say why each point got what it got. Only answered with sign-on.
        case enableDiagnostics = "EnableDiagnostics"
    }

    /// `individualId`: the person, or the id of the device for an anonymous one. Not sent if the context names an account.
    public var individualID: String
    public var dataSpace: String
    public var context: DecisionContext
    /// The names of the personalization points.
    public var points: [String]
    /// The profile itself, so that the service need not look it up; nil for a look-up.
    public var profile: [String: AttributeValue]?
    public var flags: Set<Flag>

    public init(
        individualID: String, dataSpace: String = "default",
        context: DecisionContext = DecisionContext(), points: [String], profile: [String: AttributeValue]? = nil,
        flags: Set<Flag> = []
    ) {
        self.individualID = individualID
        self.dataSpace = dataSpace
        self.context = context
        self.points = points
        self.profile = profile
        self.flags = flags
    }

    /// Of the names and ids of a request, in UTF-8 bytes.
    static let maximumNameBytes = 255
    /// Of any other text of a request, in UTF-8 bytes.
    static let maximumTextBytes = 4_096
    /// Custom variables in a context, and attributes of a profile.
    static let maximumAttributes = 100
    static let maximumPoints = 100

    /// The body of the request: compact JSON, keys in the order of the reference, custom ones sorted.
    ///
    /// - Throws: `requestInvalid`, with what to change.
    public func encoded() throws(DecisionError) -> [UInt8] {
        var bytes = Array(#"{"context":{"#.utf8)
        try appendContext(to: &bytes)
        bytes += #"},"personalizationPoints":"#.utf8
        JSONValue.array(try checkedPoints()).append(to: &bytes)
        if let profile {
            bytes += #","profile":{"#.utf8
            try DecisionRequest.append(profile, of: "profile", to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        }
        if !flags.isEmpty {
            bytes += #","executionFlags":"#.utf8
            JSONValue.array(flags.map(\.rawValue).sorted().map(JSONValue.string)).append(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private func checkedPoints() throws(DecisionError) -> [JSONValue] {
        guard !points.isEmpty else { throw .invalid("no personalization point is asked for; name at least one") }
        guard points.count <= DecisionRequest.maximumPoints else {
            throw .invalid(
                "\(points.count) points are asked for; at most \(DecisionRequest.maximumPoints) fit one fetch")
        }
        var values: [JSONValue] = []
        for (index, name) in points.enumerated() {
            try DecisionRequest.check(name, "the name of point \(index + 1)", isName: true)
            values.append(["name": .string(name)])
        }
        return values
    }

    private func appendContext(to bytes: inout [UInt8]) throws(DecisionError) {
        func add(_ key: String, _ text: String?, isName: Bool = true) throws(DecisionError) {
            guard let text else { return }
            try DecisionRequest.check(text, key, isName: isName)
            DecisionRequest.append(key, .text(text), to: &bytes)
        }
        if context.profileID == nil { try add("individualId", individualID) }
        try add("profileId", context.profileID)
        try add("unifiedIndividualId", context.unifiedIndividualID)
        try add("dataspace", dataSpace)
        try add("anchorId", context.anchor?.id)
        try add("anchorType", context.anchor?.type)
        try add("correlationId", context.correlationID)
        try add("messageId", context.messageID)
        try add("requestUrl", context.requestURL, isName: false)
        for key in context.attributes.keys.sorted(by: { $0.precedesByBytes($1) })
        where DecisionContext.reservedKeys.contains(key) {
            throw .invalid("the context attribute \(key) has the name of a key of the service; use its own property")
        }
        try DecisionRequest.append(context.attributes, of: "context", to: &bytes)
    }

    private static func append(
        _ attributes: [String: AttributeValue], of place: String, to bytes: inout [UInt8]
    ) throws(DecisionError) {
        guard attributes.count <= maximumAttributes else {
            throw .invalid("\(place) has \(attributes.count) attributes; at most \(maximumAttributes) are sent")
        }
        for (name, value) in attributes.sorted(by: { $0.key.precedesByBytes($1.key) }) {
            try check(name, "the name of an attribute of \(place)", isName: true)
            switch value {
            case .text(let text) where text.utf8.count > maximumTextBytes:
                throw .invalid("\(place).\(name) has more than \(maximumTextBytes) bytes; shorten it")
            case .decimal(let number) where number.isNaN:
                throw .invalid("\(place).\(name) is not a number; leave it out or send one")
            default: append(name, value, to: &bytes)
            }
        }
    }

    /// Appends a member of an object, after a comma if it is not the first.
    private static func append(_ key: String, _ value: AttributeValue, to bytes: inout [UInt8]) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        JSONValue.append(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.append(to: &bytes)
    }

    /// A text that identifies something: not empty, not long, and without control characters.
    private static func check(_ text: String, _ what: String, isName: Bool) throws(DecisionError) {
        let limit = isName ? maximumNameBytes : maximumTextBytes
        guard !text.isEmpty else { throw .invalid("\(what) is empty; leave it out or give it a value") }
        guard text.utf8.count <= limit else { throw .invalid("\(what) has more than \(limit) bytes; shorten it") }
        guard text.isPlain else { throw .invalid("\(what) has a control character; remove it") }
    }
}

extension String {
    /// Whether there is no control character in it.
    var isPlain: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }
}
