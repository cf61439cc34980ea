import OrgSimulator
import PushDispatch
import SelectiveSync
import ServiceHost

/// A change in the text of a request to the org, read independently of the code that wrote it.
struct EditText: Hashable {
    let object: String
    let write: RecordWrite
    /// Its name in a composite call; empty for a call of its own.
    let reference: String

    var isCreation: Bool {
        switch write {
        case .create, .upsert: true
        case .update, .delete: false
        }
    }

    /// The changes of a request in their order; empty for any other request.
    static func read(_ request: ServiceRequest) -> [EditText] {
        guard request.path.hasSuffix("/composite") else {
            let date = request.headers["if-unmodified-since"]
            return EditText(request.method, request.path, value(request.body), since: date, reference: "")
                .map { [$0] } ?? []
        }
        return parts(of: request).compactMap { part in
            EditText(
                part["method"]?.string ?? "", part["url"]?.string ?? "", part["body"],
                since: part["httpHeaders"]?.object?["If-Unmodified-Since"]?.string,
                reference: part["referenceId"]?.string ?? "")
        }
    }

    /// The parts of a composite call.
    static func parts(of request: ServiceRequest) -> [[String: JSONValue]] {
        value(request.body)?.object?["compositeRequest"]?.array?.compactMap(\.object) ?? []
    }

    static func value(_ body: [UInt8]) -> JSONValue? {
        try? JSONReader.read(body, limits: JSONLimits(maximumBytes: 1 << 20, maximumDepth: 16, maximumValues: 1 << 16))
    }

    private init?(_ method: String, _ path: String, _ body: JSONValue?, since: String?, reference: String) {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count >= 5, parts.prefix(2) == ["services", "data"], parts[3] == "sobjects" else { return nil }
        let fields = body?.object ?? [:]
        object = parts[4]
        self.reference = reference
        switch (method, parts.count) {
        case ("POST", 5): write = .create(fields)
        case ("PATCH", 7): write = .upsert(field: parts[5], value: parts[6], fields)
        case ("PATCH", 6):
            guard let id = RecordID(parts[5]) else { return nil }
            write = .update(id, fields, unmodifiedSince: since.flatMap { ServerDate(httpDate: $0) })
        case ("DELETE", 6):
            guard let id = RecordID(parts[5]) else { return nil }
            write = .delete(id)
        default: return nil
        }
    }
}
