import APNSModel
import APNSProvider
import PayloadJSON

/// A gateway that runs on this machine, as its run file describes it. No secret is in it: keys are named by their files,
/// and the control token is not known here.
struct GatewayRun: Hashable, Sendable {
    /// Where senders connect, such as `https://127.0.0.1:8443`.
    var gateway: APNSGateway
    /// The URL of the control API.
    var control: String
    /// The URL of the port that only takes channel management; nil in a file that does not say it.
    var channels: String?
    /// Absolute paths.
    var caPath: String
    var keyPath: String
    var keyID: String
    var teamID: String
    var topic: String
    var processID: Int32
    /// When it was ready, in milliseconds since 1970.
    var started: Int64

    /// How messages name it.
    var name: String { "\(gateway) (process \(processID))" }
}

extension GatewayRun {
    /// The content of a run file: one JSON object with the keys of the ready line, `pid` and `started`.
    var json: [UInt8] {
        let texts: [(String, String?)] = [
            ("gateway", gateway.description), ("control", control), ("channels", channels), ("ca", caPath),
            ("key", keyPath), ("key-id", keyID), ("team-id", teamID), ("topic", topic),
        ]
        let members =
            texts.compactMap { name, text in text.map { "\"\(name)\":\(JSONWriter.quoted($0))" } }
            + ["\"pid\":\(processID)", "\"started\":\(started)"]
        return Array("{\(members.joined(separator: ","))}\n".utf8)
    }

    /// - Returns: Nil for what is not the JSON of a run file. Unknown keys are ignored, because a later version may write
    ///   them.
    init?(json: [UInt8]) {
        guard let document = try? JSONDocument(json, maximumDepth: 8), document.isObject(.root) else { return nil }
        let member = { (key: String) in document.member(named: key, of: .root) }
        let text = { (key: String) in member(key).flatMap { document.string(of: $0) } }
        let number = { (key: String) in member(key).flatMap { document.integer(of: $0) } }
        guard let gateway = text("gateway").flatMap({ APNSGateway(url: $0) }), let control = text("control"),
            let caPath = text("ca"), let keyPath = text("key"), let keyID = text("key-id"),
            let teamID = text("team-id"),
            let topic = text("topic"), let processID = number("pid").flatMap({ Int32(exactly: $0) }),
            let started = number("started")
        else { return nil }
        self.init(
            gateway: gateway, control: control, channels: text("channels"), caPath: caPath, keyPath: keyPath,
            keyID: keyID, teamID: teamID, topic: topic, processID: processID, started: started)
    }
}
