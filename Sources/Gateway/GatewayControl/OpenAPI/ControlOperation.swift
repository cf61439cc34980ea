import APNSPayload

/// One method of one path: what it does, what it takes and answers, and the code that does it. The router, the list at
/// `GET /api` and the OpenAPI document are all made of these rows, so none of them can know of something that another
/// does not.
struct ControlOperation: Sendable {
    typealias Body =
        @Sendable (_ api: ControlAPI, _ request: ControlRequest, _ arguments: [String]) throws -> ControlAnswer

    /// A parameter of the query or a header; those of the path are found in the path itself.
    struct Parameter: Sendable {
        enum Place: String, Sendable {
            case query, header
        }

        let name: String
        let schema: ControlSchema
        let why: String
        var place = Place.query
    }

    struct Answer: Sendable {
        let status: Int
        let why: String
        /// Nil for none.
        var contentType: String?
        /// Nil for text and for none.
        var schema: ControlSchema?
    }

    let method: String
    /// Such as `/api/devices/{token}`.
    let path: String
    /// What generated clients call it.
    let id: String
    let summary: String
    let parameters: [Parameter]
    /// Nil takes no body.
    let body: ControlSchema?
    /// Whether it is an error to send none.
    let needsBody: Bool
    let answers: [Answer]
    /// Whether it is about the gateway as a whole, so that there is none of it below `/w/{name}`.
    let isOfGateway: Bool
    let perform: Body

    init(
        _ method: String, _ path: String, _ id: String, _ summary: String, parameters: [Parameter] = [],
        body: ControlSchema? = nil, needsBody: Bool = true, isOfGateway: Bool = false, _ answers: [Answer],
        _ perform: @escaping Body
    ) {
        self.method = method
        self.path = path
        self.id = id
        self.summary = summary
        self.parameters = parameters
        self.body = body
        self.needsBody = needsBody
        self.answers = answers
        self.isOfGateway = isOfGateway
        self.perform = perform
        segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    fileprivate let segments: [String]

    /// The names of the path's parameters.
    var arguments: [String] {
        segments.filter { ControlOperation.isArgument($0) }.map { String($0.dropFirst().dropLast()) }
    }

    /// The path of one of what this makes, its parameter, and the member of the answer that goes in there; nil where it
    /// makes nothing that has a path.
    var makes: (path: String, argument: String, member: String)? {
        guard method == "POST", answers.contains(where: { $0.status == 201 }) else { return nil }
        // A changed device token is another device's.
        let list = segments.prefix { !ControlOperation.isArgument($0) }
        let one = ControlOperation.all.lazy.map(\.segments).first { other in
            other.count == list.count + 1 && other.starts(with: list) && ControlOperation.isArgument(other[list.count])
        }
        guard let one, let argument = one.last?.dropFirst().dropLast() else { return nil }
        return ("/" + one.joined(separator: "/"), String(argument), argument == "world" ? "name" : String(argument))
    }

    private static func isArgument(_ segment: String) -> Bool { segment.hasPrefix("{") }

    /// What stands in the place of each parameter of the path; nil for a path of another operation.
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

    /// Problem details.
    static func problem(_ status: Int, _ why: String) -> Self {
        Self(status: status, why: why, contentType: "application/problem+json", schema: .named("Problem"))
    }
}

/// Finding one.
extension ControlOperation {
    /// Every operation of the control API, in the order of the document.
    static let all: [ControlOperation] =
        ofGateway + ofNotifications + ofDevices + ofFaults + ofRegistry + ofWorlds + ofWebhooks

    /// The operations of a path, and what stands in it.
    ///
    /// - Parameter path: Without the query, percent-encoded as it came. Nothing that belongs in one needs the encoding.
    static func find(_ path: String) -> [(operation: ControlOperation, arguments: [String])] {
        guard path.hasPrefix("/") else { return [] }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        // A path that is written out goes before one with a parameter in the same place.
        let found = all.compactMap { operation in operation.arguments(in: parts).map { (operation, $0) } }
        let fewest = found.map { $0.1.count }.min()
        return found.filter { $0.1.count == fewest }
    }
}
