import APNSModel
import Testing

@testable import GatewayCore

struct SenderConnectionStateTests {
    /// A state behind a reference, so that `#expect` can call it.
    final class Sender {
        private var state: SenderConnectionState

        init(port: String? = nil) {
            state = SenderConnectionState(port: port.flatMap { WorldName($0) }, standard: .standard)
        }

        /// One whose handshake is done, in the world that `host` names.
        static func opened(port: String? = nil, host: String? = nil) -> Sender {
            let sender = Sender(port: port)
            _ = sender.handshakeDone(host)
            _ = sender.opened()
            return sender
        }

        func started() -> SenderConnectionState.OnStart { state.started() }
        func hold(until due: Int64) { state.hold(until: due) }
        var heldUntil: Int64? { state.heldUntil }
        func timePassed(to now: Int64) -> SenderConnectionState.OnTime { state.timePassed(to: now) }
        func refuse(_ goAway: GoAway = limit) { state.refuse(goAway) }
        func handshakeDone(_ host: String?) -> SenderConnectionState.OnHandshake { state.handshakeDone(host: host) }
        func opened() -> SenderConnectionState.OnOpen { state.opened() }
        func received() -> SenderConnectionState.OnInput { state.received() }
        func head(_ authority: String?, isHostInvalid: Bool = false) -> SenderConnectionState.OnHead {
            state.head(authority, isHostInvalid: isHostInvalid)
        }
        func worldMissing() -> SenderConnectionState.OnMissingWorld { state.worldMissing(limit) }
        func requestsCompleted() -> SenderConnectionState.OnRequests { state.requestsCompleted() }
        func leave() -> SenderConnectionState.OnLeave { state.leave(shutdown) }
        func graceOver() -> SenderConnectionState.OnGraceOver { state.graceOver() }
        func faultSentGoAway(_ closing: GoAwayFault.Closing) -> SenderConnectionState.OnFaultGoAway {
            state.faultSentGoAway(closing)
        }
        func fellSilent() { state.fellSilent() }
        func connectionEnded() { state.connectionEnded() }
        var isServing: Bool { state.isServing }
        var isClosing: Bool { state.isClosing }
    }

    static let limit = GoAway(.serviceUnavailable, "the limit is reached")
    static let shutdown = GoAway(.shutdown, "the gateway is stopping")
    static let blue = WorldName("blue")!
    static let elsewhere = SenderConnectionState.OnHead.take(isMisdirected: true)
    static let here = SenderConnectionState.OnHead.take(isMisdirected: false)

    // MARK: The world

    @Test func `the first request chooses the world, and later ones for another are misdirected`() {
        let sender = Sender.opened()
        #expect(sender.head("blue.localhost:2197") == .enter(Self.blue))
        #expect(sender.head("blue.localhost:2197") == Self.here)
        #expect(sender.head("green.localhost:2197") == Self.elsewhere)
        #expect(sender.head("green.localhost:2197") == Self.elsewhere)
        #expect(sender.head("127.0.0.1:2197") == Self.here)
        #expect(sender.head(nil) == Self.here)
    }

    @Test(arguments: [nil, "127.0.0.1:2197", "api.push.apple.com", "default.localhost"])
    func `a first request that names no other world stays in the standard one`(authority: String?) {
        let sender = Sender.opened()
        #expect(sender.head(authority) == Self.here)
        #expect(sender.head("blue.localhost") == Self.elsewhere)
    }

    @Test func `the host name of TLS chooses the world before any request`() {
        let sender = Sender()
        #expect(sender.handshakeDone("BLUE.localhost") == .enter(Self.blue))
        #expect(sender.opened() == .nothing)
        #expect(sender.isServing)
        #expect(sender.head("blue.localhost") == Self.here)
        #expect(sender.head("default.localhost") == Self.elsewhere)
    }

    @Test func `a host name that names no world leaves the choice to the first request`() {
        let sender = Sender()
        #expect(sender.handshakeDone("localhost") == .nothing)
        #expect(sender.opened() == .nothing)
        #expect(sender.isServing)
        #expect(sender.head("blue.localhost") == .enter(Self.blue))
    }

    @Test func `the port of a world leaves no choice`() {
        let sender = Sender(port: "blue")
        #expect(sender.handshakeDone("green.localhost") == .nothing)
        #expect(sender.opened() == .nothing)
        #expect(sender.isServing)
        #expect(sender.head(nil) == Self.here)
        #expect(sender.head("green.localhost") == Self.elsewhere)
        #expect(sender.head("blue.localhost") == Self.here)
    }

    @Test(arguments: [nil, "blue"])
    func `an invalid host name makes every request misdirected that names a host`(port: String?) {
        let sender = Sender(port: port)
        #expect(sender.handshakeDone("a_b.localhost") == .invalidHost("a_b.localhost"))
        #expect(sender.opened() == .nothing)
        #expect(sender.isServing)
        #expect(sender.head("blue.localhost", isHostInvalid: true) == Self.elsewhere)
        #expect(sender.head("127.0.0.1", isHostInvalid: true) == Self.elsewhere)
    }

    @Test func `a first request with an invalid world chooses the standard one and is misdirected`() {
        let sender = Sender.opened()
        #expect(sender.head("a_b.localhost") == Self.elsewhere)
        #expect(sender.head("blue.localhost") == Self.elsewhere)
        #expect(sender.head("default.localhost") == Self.here)
    }

    @Test func `a request for a world that cannot be made is not taken, nor is any after it`() {
        let sender = Sender.opened()
        #expect(sender.head("blue.localhost") == .enter(Self.blue))
        #expect(sender.worldMissing() == .refuse(Self.limit))
        #expect(sender.head("blue.localhost") == .ignore)
        #expect(sender.head(nil) == .ignore)
        #expect(sender.received() == .handle)
        #expect(sender.leave() == .nothing)
        #expect(sender.graceOver() == .close)
    }

    @Test func `where TLS chose a world that cannot be made, the refusal waits for the first bytes`() {
        let sender = Sender()
        #expect(sender.handshakeDone("blue.localhost") == .enter(Self.blue))
        #expect(sender.worldMissing() == .nothing)
        #expect(sender.opened() == .closeAfterGrace)
        #expect(sender.received() == .refuse(Self.limit))
    }

    @Test func `only the first complete request of a connection is its first`() {
        let sender = Sender.opened()
        _ = sender.head(nil)
        #expect(sender.requestsCompleted() == .first)
        #expect(sender.requestsCompleted() == .more)
        #expect(sender.head("127.0.0.1") == Self.here)
        #expect(sender.requestsCompleted() == .more)
    }

    // MARK: Refusing

    @Test func `a refused connection gets GOAWAY behind its first bytes, once, and nothing of it is taken`() {
        let sender = Sender()
        sender.refuse()
        sender.refuse(Self.shutdown)  // the first reason stays
        #expect(sender.started() == .proceed)
        #expect(sender.handshakeDone("blue.localhost") == .nothing)
        #expect(sender.opened() == .closeAfterGrace)
        #expect(!sender.isServing)
        #expect(sender.leave() == .nothing)
        #expect(sender.received() == .refuse(Self.limit))
        #expect(sender.received() == .handle)
        #expect(sender.head(nil) == .ignore)
        #expect(sender.graceOver() == .close)
    }

    @Test func `a refused connection that sends nothing gets GOAWAY when the grace is over`() {
        let sender = Sender()
        sender.refuse()
        _ = sender.opened()
        #expect(sender.graceOver() == .refuseAndClose(Self.limit))
        #expect(sender.graceOver() == .close)
    }

    @Test func `a connection that serves cannot be refused any more`() {
        let sender = Sender.opened()
        sender.refuse()
        #expect(sender.received() == .handle)
        #expect(sender.isServing)
    }

    // MARK: Holding

    @Test func `a fault rule delays TLS until its time`() {
        let sender = Sender(port: "blue")
        #expect(sender.started() == .askFaultRules)
        sender.hold(until: 1000)
        #expect(sender.heldUntil == 1000)
        #expect(sender.timePassed(to: 999) == .nothing)
        #expect(sender.timePassed(to: 1000) == .resumeHandshake)
        #expect(sender.heldUntil == nil)
        #expect(sender.timePassed(to: .max) == .nothing)
        #expect(sender.handshakeDone("green.localhost") == .nothing)
        #expect(sender.opened() == .nothing)
        #expect(sender.isServing)
        #expect(sender.head("blue.localhost") == Self.here)
    }

    @Test func `one that is held is closed at once when it has to leave`() {
        let sender = Sender()
        sender.hold(until: .max)
        sender.refuse()
        #expect(sender.leave() == .closeAtOnce)
        #expect(sender.heldUntil == .max)
    }

    @Test func `one that ended before HTTP2 was up stays ended`() {
        let sender = Sender()
        sender.connectionEnded()
        #expect(sender.opened() == .nothing)
        #expect(!sender.isServing)
    }

    @Test func `one that serves cannot be held`() {
        let sender = Sender.opened()
        sender.hold(until: 5)
        #expect(sender.heldUntil == nil)
    }

    // MARK: Ending

    @Test func `leaving sends GOAWAY once and still takes the requests of the same input`() {
        let sender = Sender.opened()
        _ = sender.head(nil)
        #expect(sender.leave() == .sendGoAway)
        #expect(sender.leave() == .nothing)
        #expect(!sender.isServing)
        #expect(sender.head("blue.localhost") == Self.elsewhere)
        #expect(sender.requestsCompleted() == .first)
        #expect(sender.requestsCompleted() == .more)
    }

    @Test func `one that leaves during the handshake is refused`() {
        let sender = Sender()
        #expect(sender.leave() == .nothing)
        #expect(sender.opened() == .closeAfterGrace)
        #expect(sender.received() == .refuse(Self.shutdown))
    }

    @Test func `a GOAWAY of a fault rule closes the connection when all is answered`() {
        let sender = Sender.opened()
        _ = sender.head(nil)
        #expect(sender.faultSentGoAway(.whenDone) == .nothing)
        #expect(sender.isClosing)
        #expect(!sender.isServing)
        #expect(sender.head("blue.localhost") == Self.elsewhere)
        #expect(sender.requestsCompleted() == .first)
        #expect(sender.leave() == .closeAfterGrace)
        #expect(sender.isClosing)
    }

    @Test func `other GOAWAYs of fault rules leave it open or close it`() {
        let sender = Sender.opened()
        #expect(sender.faultSentGoAway(.never) == .nothing)
        #expect(sender.isServing)
        #expect(sender.faultSentGoAway(.now) == .close)
        _ = sender.leave()
        #expect(sender.faultSentGoAway(.whenDone) == .nothing)
        #expect(!sender.isClosing)
    }

    @Test func `a silent connection takes nothing and is closed at once when it has to leave`() {
        let sender = Sender.opened()
        _ = sender.head(nil)
        sender.fellSilent()
        #expect(!sender.isServing)
        #expect(sender.head(nil) == .ignore)
        #expect(sender.faultSentGoAway(.whenDone) == .nothing)
        #expect(!sender.isClosing)
        #expect(sender.leave() == .closeAtOnce)
        #expect(sender.leave() == .closeAtOnce)
    }

    // MARK: Any order

    private enum Event: CaseIterable {
        case hold, resume, refuse, handshake, opened, bytes, head, otherHead, missing, complete, leave, faultGoAway
        case silent, grace, ended
    }

    /// Every order of four events, from a new connection and from an open one.
    @Test(arguments: [false, true])
    func `in any order nothing is taken before the handshake, refused twice, or done after the end`(isOpen: Bool) {
        func run(_ events: [Event]) {
            let sender = isOpen ? Sender.opened() : Sender()
            var (opened, refusals, entered, firsts, isEnded) = (isOpen, 0, 0, 0, false)
            for event in events {
                switch event {
                case .hold: sender.hold(until: 5)
                case .resume: if sender.timePassed(to: 5) == .resumeHandshake { #expect(!opened && !isEnded) }
                case .refuse: sender.refuse()
                case .handshake: if case .enter = sender.handshakeDone("blue.localhost") { entered += 1 }
                case .opened:
                    _ = sender.opened()
                    opened = opened || sender.isServing
                case .bytes: if case .refuse = sender.received() { refusals += 1 }
                case .head, .otherHead:
                    switch sender.head(event == .head ? "blue.localhost" : nil) {
                    case .take: #expect(opened && !isEnded, "\(events)")
                    case .enter:
                        #expect(opened && !isEnded, "\(events)")
                        entered += 1
                    case .ignore: break
                    }
                case .missing: if case .refuse = sender.worldMissing() { refusals += 1 }
                case .complete: if sender.requestsCompleted() == .first { firsts += 1 }
                case .leave:
                    let answer = sender.leave()
                    if answer == .sendGoAway { #expect(opened && refusals == 0, "\(events)") }
                    if isEnded { #expect(answer == .nothing, "\(events)") }
                case .faultGoAway: _ = sender.faultSentGoAway(.whenDone)
                case .silent: sender.fellSilent()
                case .grace: if case .refuseAndClose = sender.graceOver() { refusals += 1 }
                case .ended:
                    sender.connectionEnded()
                    isEnded = true
                }
                if isEnded { #expect(!sender.isServing && !sender.isClosing && sender.heldUntil == nil, "\(events)") }
            }
            #expect(refusals <= 1 && entered <= 1 && firsts <= 1, "\(events)")
        }
        for first in Event.allCases {
            for second in Event.allCases {
                for third in Event.allCases { for fourth in Event.allCases { run([first, second, third, fourth]) } }
            }
        }
    }
}
