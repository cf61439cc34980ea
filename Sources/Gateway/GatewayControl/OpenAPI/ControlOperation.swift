import APNSPayload
import GatewayJSON

/// One method of one path: its summary, its parameters and answers, and the code that runs it. The router, the list at
/// `GET /api` and the OpenAPI document are all derived from these operations, so that they cannot differ.
struct ControlOperation: Sendable {
    typealias Body =
        @Sendable (_ api: ControlAPI, _ request: ControlRequest, _ arguments: [String]) throws -> ControlAnswer

    /// A query parameter or a header; parameters of the path are derived from the path itself.
    struct Parameter: Sendable {
        enum Place: String, Sendable {
            case query, header
        }

        let name: String
        let schema: ControlSchema
        let why: String
        var place = Place.query
        var isRequired = false
    }

    struct Answer: Sendable {
        let status: Int
        let why: String
        /// Nil for an answer without a body.
        var contentType: String?
        /// Nil for text and for an answer without a body.
        var schema: ControlSchema?
    }

    let method: String
    /// Such as `/api/devices/{token}`.
    let path: String
    /// The operation id, which generated clients use as its name.
    let id: String
    let summary: String
    let parameters: [Parameter]
    /// Nil for a request without a body.
    let body: ControlSchema?
    /// Whether a request without a body is an error.
    let needsBody: Bool
    let maximumBodyBytes: Int
    let answers: [Answer]
    /// Whether it concerns the gateway as a whole, so that it does not exist below `/w/{name}`.
    let isOfGateway: Bool
    let perform: Body

    init(
        _ method: String, _ path: String, _ id: String, _ summary: String, parameters: [Parameter] = [],
        body: ControlSchema? = nil, needsBody: Bool = true, maximumBodyBytes: Int = ControlBody.maximumBytes,
        isOfGateway: Bool = false, _ answers: [Answer],
        _ perform: @escaping Body
    ) {
        self.method = method
        self.path = path
        self.id = id
        self.summary = summary
        self.parameters = parameters
        self.body = body
        self.needsBody = needsBody
        self.maximumBodyBytes = maximumBodyBytes
        self.answers = answers
        self.isOfGateway = isOfGateway
        self.perform = perform
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    fileprivate let segments: [String]

    /// The names of the parameters in the path.
    var arguments: [String] {
        segments.filter { ControlOperation.isArgument($0) }.map { String($0.dropFirst().dropLast()) }
    }

    /// The names of the parameters in the query.
    var queryParameters: [String] { parameters.filter { $0.place == .query }.map(\.name) }

    /// Whether it may change something. A device that listens takes what waits for it.
    var isChange: Bool { method != "GET" || id == "deliveries" }

    /// The path of an object that this operation creates, its parameter, and the member of the answer with the
    /// parameter's value; nil if it creates nothing with a path.
    var makes: (path: String, argument: String, member: String)? {
        guard method == "POST", answers.contains(where: { $0.status == 201 }) else { return nil }
        // Stops at the first parameter: a change of device token creates a device at another path.
        let list = segments.prefix { !ControlOperation.isArgument($0) }
        let one = ControlOperation.all.lazy.map(\.segments).first { other in
            other.count == list.count + 1 && other.starts(with: list) && ControlOperation.isArgument(other[list.count])
        }
        guard let one, let argument = one.last?.dropFirst().dropLast() else { return nil }
        return ("/" + one.joined(separator: "/"), String(argument), argument == "world" ? "name" : String(argument))
    }

    private static func isArgument(_ segment: String) -> Bool { segment.hasPrefix("{") }

    /// The values of the path's parameters; nil for a path of another operation.
    func arguments(in parts: [Substring]) -> [String]? {
        guard parts.count == segments.count else { return nil }
        var found: [String] = []
        for (segment, part) in zip(segments, parts) {
            if ControlOperation.isArgument(segment) {
                guard !part.isEmpty else { return nil }
                found.append(String(part))
            } else if segment != part {
                return nil
            }
        }
        return found
    }
}

extension ControlOperation.Answer {
    static func json(_ schema: ControlSchema, _ why: String) -> Self { json(200, schema, why) }

    static func json(_ status: Int, _ schema: ControlSchema, _ why: String) -> Self {
        Self(status: status, why: why, contentType: "application/json", schema: schema)
    }

    static func text(_ contentType: String, _ why: String) -> Self {
        Self(status: 200, why: why, contentType: contentType)
    }

    static func none(_ why: String) -> Self { Self(status: 204, why: why) }

    /// An answer with problem details.
    static func problem(_ status: Int, _ why: String) -> Self {
        Self(status: status, why: why, contentType: "application/problem+json", schema: .named("Problem"))
    }
}

/// Finding the operation of a path.
extension ControlOperation {
    /// Every operation of the control API, in the order of the document.
    static let all: [ControlOperation] =
        ofGateway + ofNotifications + ofDevices + ofFaults + ofRegistry + ofWorlds + ofWebhooks

    /// The operations of a path, and the values of its parameters.
    ///
    /// - Parameter path: Without the query, percent-encoded as received. No valid value requires the encoding.
    static func find(_ path: String) -> [(operation: ControlOperation, arguments: [String])] {
        guard path.hasPrefix("/") else { return [] }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        // A literal path takes precedence over one with a parameter at the same place.
        let found = all.compactMap { operation in operation.arguments(in: parts).map { (operation, $0) } }
        let fewest = found.map { $0.1.count }.min()
        return found.filter { $0.1.count == fewest }
    }
}
