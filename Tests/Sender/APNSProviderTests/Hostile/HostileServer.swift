/// What a server does that keeps no rule, as data. It reads the frames of its client and sends bytes.
///
/// It is hostile until the first notification has its outcome, so that a test sees whether the sender recovers.
struct HostileServer: Sendable {
    enum Act: Sendable {
        case send([UInt8])
        /// The same frames again and again.
        case flood([UInt8], Int)
        /// Ends the connection in order.
        case close
    }

    /// What it sends first on each connection.
    var opening: [Act] = [.send(HostileServer.preface)]
    /// What it does once the head of a request has come.
    var atHead: @Sendable (_ stream: Int32) -> [Act] = { _ in [] }
    /// What it does once a request is complete.
    var atEnd: @Sendable (_ stream: Int32) -> [Act] = { [.send(WireFrame.answer($0))] }
    /// What it sends each second, for the last request.
    var eachSecond: (@Sendable (_ stream: Int32, _ second: Int) -> [UInt8])?
    var answersPings = true

    /// SETTINGS as those of APNs, and the acknowledgement of the client's.
    static let preface = WireFrame.settings([(3, 1000)]) + WireFrame.settingsAcknowledgement

    /// Sends these bytes instead of an answer.
    static func answering(_ bytes: @escaping @Sendable (_ stream: Int32) -> [UInt8]) -> HostileServer {
        HostileServer(atEnd: { [.send(bytes($0))] })
    }

    /// Sends these frames after the request, and no answer.
    static func sending(_ frames: [UInt8]) -> HostileServer { answering { _ in frames } }

    /// Sends a frame again and again after the request, and no answer.
    static func flooding(_ count: Int, _ frame: @escaping @Sendable (_ stream: Int32) -> [UInt8]) -> HostileServer {
        HostileServer(atEnd: { [.flood(frame($0), count)] })
    }

    /// Sends these frames first.
    static func opening(_ bytes: [UInt8]) -> HostileServer { HostileServer(opening: [.send(bytes)]) }
}

/// A `HostileServer` on one connection.
struct HostileConversation {
    let server: HostileServer
    private var reader = FrameReader()
    /// The stream of the last request.
    private(set) var lastStream: Int32 = 0

    init(_ server: HostileServer) { self.server = server }

    /// What it does after these bytes of the client.
    mutating func received(_ bytes: [UInt8], isHostile: Bool) -> [HostileServer.Act] {
        reader.read(bytes).flatMap { frame -> [HostileServer.Act] in
            switch frame.type {
            case 0, 1:
                var acts: [HostileServer.Act] = []
                if frame.type == 1 {
                    lastStream = frame.stream
                    if isHostile { acts += server.atHead(frame.stream) }
                }
                if frame.flags & 1 != 0 {
                    acts += isHostile ? server.atEnd(frame.stream) : [.send(WireFrame.answer(frame.stream))]
                }
                return acts
            case 6 where frame.flags & 1 == 0 && (server.answersPings || !isHostile):
                return [.send(WireFrame.ping(isAcknowledgement: true, frame.payload))]
            default: return []
            }
        }
    }
}
