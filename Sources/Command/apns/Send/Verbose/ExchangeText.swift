import APNSModel
import APNSProvider

/// What happens on the connections, as `apns send --verbose` shows it: `*` for a connection, `>` for what is sent and `<`
/// for what is received. Device tokens are shortened, and the provider token is not shown.
enum ExchangeText {
    static func text(_ event: ExchangeEvent) -> String {
        switch event {
        case .connecting(let connection, let gateway): "* connecting to \(gateway) (connection \(connection + 1))"
        case .opened(let connection, let facts): opened(connection, facts)
        case .sent(let connection, let stream, let request): sent(place(connection, stream), request)
        case .received(let connection, let stream, let head): received(place(connection, stream), head)
        case .body(let connection, let stream, let bytes): "< body \(shown(bytes)) \(place(connection, stream))"
        case .goAway(let connection, let code, let reason):
            "< GOAWAY \(code)\(reason.isEmpty ? "" : " \(shown(reason))") (connection \(connection + 1))"
        case .lost(let connection, let why):
            "* connection closed: \(PlainText.safe(why)) (connection \(connection + 1))"
        }
    }

    private static func opened(_ connection: Int, _ facts: ExchangeEvent.Facts) -> String {
        let name = facts.certificateName.map { ", certificate of \(PlainText.safe($0))" } ?? ""
        let end = facts.certificateEnd.map { " valid until \(UTCText.text($0))" } ?? ""
        return
            "* connected to \(facts.address): \(facts.tlsVersion), \(facts.cipher), HTTP/2\(name)\(end) (connection "
            + "\(connection + 1))"
    }

    private static func sent(_ place: String, _ request: ExchangeEvent.Request) -> String {
        let notification = request.notification
        var lines = ["> POST \(RequestFields.path(of: PlainText.safe(notification.deviceToken.shortened))) \(place)"]
        if request.isAuthorized { lines.append(">   authorization: bearer (not shown)") }
        for (name, value) in RequestFields.fields(of: notification, apnsID: request.apnsID) {
            lines.append(">   \(name): \(PlainText.safe(value))")
        }
        lines.append(">   body of \(notification.payload.count) bytes")
        return lines.joined(separator: "\n")
    }

    private static func received(_ place: String, _ head: ExchangeEvent.Head) -> String {
        let status = head.fields.first { $0.name == ":status" }?.value ?? "no status"
        let lines = head.fields.filter { !$0.name.hasPrefix(":") }
            .map { "<   \(PlainText.safe($0.name)): \(PlainText.safe($0.value))" }
        return (["< \(PlainText.safe(status)) \(place)"] + lines).joined(separator: "\n")
    }

    private static func place(_ connection: Int, _ stream: Int) -> String {
        "(connection \(connection + 1), stream \(stream))"
    }

    private static func shown(_ bytes: [UInt8]) -> String { PlainText.safe(String(decoding: bytes, as: UTF8.self)) }
}
