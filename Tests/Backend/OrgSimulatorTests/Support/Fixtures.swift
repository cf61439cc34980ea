import OrgSimulator
import PushDispatch
import SelectiveSync
import ServiceHost

extension RecordID {
    /// An invented user.
    static func user(_ number: Int) -> RecordID { RecordID("005xx000000000\(number)")! }
}

extension ServerDate {
    static let start = ServerDate("2026-05-20T20:49:32.000+0000")!

    func after(seconds: Int64) -> ServerDate {
        ServerDate(millisecondsSince1970: millisecondsSince1970 + seconds * 1_000)
    }
}

extension Org {
    /// An org whose accounts have the reference trigger, changed by `change`.
    static func triggering(_ change: (inout PushTrigger) -> Void = { _ in }) -> Org {
        var account = OrgObject.account
        var trigger = PushTrigger.account
        change(&trigger)
        account.trigger = trigger
        return Org(objects: [account, .interaction])
    }
}

extension OutgoingPush {
    var text: String { String(decoding: payload, as: UTF8.self) }
}

extension ServiceResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

struct TestError: Error {}

/// An org with a REST interface, and a client that is logged in as one user.
struct OrgClient {
    static let root = "/services/data/v66.0"

    var org: Org
    var rest = OrgREST(sessions: ["good": .user(1), "other": .user(2)])
    var now = ServerDate.start

    init(_ org: Org = Org()) { self.org = org }

    /// - Parameter path: Relative to the API version, or a full path that begins with a slash.
    @discardableResult
    mutating func call(
        _ method: String, _ path: String, query: [String: String] = [:], _ body: JSONValue? = nil,
        token: String? = "good", headers: [String: String] = [:]
    ) -> OrgREST.Answer {
        var all = headers
        if let token { all["authorization"] = "Bearer \(token)" }
        if body != nil { all["content-type"] = "application/json" }
        let pairs = query.sorted { $0.key < $1.key }.map { "\($0.key)=\(OrgClient.encoded($0.value))" }
        let target = path.hasPrefix("/services") ? path : "\(OrgClient.root)/\(path)"
        let request = ServiceRequest(
            method, target, query: pairs.joined(separator: "&"), headers: all, body: body?.compactBytes ?? [])
        return rest.answer(request, &org, at: now)
    }

    mutating func query(_ text: String, token: String = "good", headers: [String: String] = [:]) -> OrgREST.Answer {
        call("GET", "query/", query: ["q": text], token: token, headers: headers)
    }

    /// Posts a form, as OAuth requires.
    mutating func post(_ path: String, form: [String: String]) -> OrgREST.Answer {
        let pairs = form.sorted { $0.key < $1.key }.map { "\($0.key)=\(OrgClient.encoded($0.value))" }
        let request = ServiceRequest(
            "POST", path, headers: ["content-type": "application/x-www-form-urlencoded"],
            body: Array(pairs.joined(separator: "&").utf8))
        return rest.answer(request, &org, at: now)
    }

    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    mutating func create(
        _ object: String = "Account", _ fields: [String: JSONValue] = ["Name": "A"], by user: RecordID = .user(1)
    ) throws -> RecordID {
        try org.create(object, fields, by: user, at: now)
    }

    mutating func pass(seconds: Int64) { now = now.after(seconds: seconds) }
}

extension OrgREST.Answer {
    var status: Int { response.status }
    var json: JSONValue {
        (try? JSONReader.read(
            response.body, limits: JSONLimits(maximumBytes: 10_000_000, maximumDepth: 16, maximumValues: 1_000_000)))
            ?? .null
    }
    /// The code of an error answer.
    var code: String? { json.array?.first?.object?["errorCode"]?.string }
    subscript(key: String) -> JSONValue? { json.object?[key] }
    /// The values of a field in the records of a query.
    func values(_ field: String) -> [JSONValue] {
        self["records"]?.array?.map { $0.object?[field] ?? .null } ?? []
    }
}
