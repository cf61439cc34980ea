import APNSModel
import Doctor
import GatewayTesting
import Testing

/// A fault that the gateway plays, and what a run against it with a device token says.
struct FaultCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fault: GatewayFault
    /// Whether it hits the push to the device alone, and not the one before to an impossible device token.
    let isForDevice: Bool
    let identity: DoctorState
    let pushAccepted: DoctorState
    /// How often the device gets the push.
    let deliveries: Int
    /// The checks that fail.
    let failed: [String]

    private init(
        _ name: String, _ fault: GatewayFault, forDevice: Bool, identity: DoctorState, push: DoctorState,
        deliveries: Int, failed: [String]
    ) {
        testDescription = forDevice ? "\(name), for the device alone" : name
        self.fault = fault
        isForDevice = forDevice
        self.identity = identity
        pushAccepted = push
        self.deliveries = deliveries
        self.failed = failed
    }

    static let all: [FaultCase] =
        withoutAnswer + withoutAnswerForDevice + goAways + goAwaysForDevice + ofConnections + slow + ofDevices

    // MARK: Requests without an answer

    /// Nothing is known about the credentials, so nothing is sent to the device, which fails only what was asked about it.
    private static func unknown(_ name: String, _ fault: GatewayFault) -> FaultCase {
        FaultCase(
            name, fault, forDevice: false, identity: .warn, push: .fail, deliveries: 0, failed: ["push-accepted"])
    }

    private static let withoutAnswer: [FaultCase] = [
        unknown("silence", .silence()), unknown("silence after", .silence(.after)),
        unknown("a reset with REFUSED_STREAM", .reset(code: 7)),
        unknown("a reset with REFUSED_STREAM after", .reset(code: 7, .after)),
        unknown("a reset with PROTOCOL_ERROR", .reset(code: 1)),
        unknown("a reset with PROTOCOL_ERROR after", .reset(code: 1, .after)),
        unknown("a disconnect", .disconnect()), unknown("a disconnect after", .disconnect(.after)),
        unknown("a disconnect with RST", .disconnect(isReset: true)),
        unknown("a disconnect with RST after", .disconnect(.after, isReset: true)),
        unknown("half-open", .halfOpen()), unknown("half-open after", .halfOpen(.after)),
        unknown("an endless delay", .delay(.never)),
        // The head of a refusal has come, without its reason.
        unknown("an endless body", .slowBody(.never)),
        unknown("an internal error", .refuse(.internalServerError)),
    ]

    /// The credentials are accepted, and the push to the device has no answer.
    private static func unanswered(_ name: String, _ fault: GatewayFault, deliveries: Int) -> FaultCase {
        FaultCase(
            name, fault, forDevice: true, identity: .pass, push: .fail, deliveries: deliveries,
            failed: ["push-accepted"])
    }

    private static let withoutAnswerForDevice: [FaultCase] = [
        unanswered("silence", .silence(), deliveries: 0),
        unanswered("silence after", .silence(.after), deliveries: 1),
        unanswered("a reset", .reset(), deliveries: 0), unanswered("a reset after", .reset(.after), deliveries: 1),
        unanswered("a disconnect", .disconnect(), deliveries: 0),
        unanswered("a disconnect after", .disconnect(.after), deliveries: 1),
        unanswered("a disconnect with RST after", .disconnect(.after, isReset: true), deliveries: 1),
        unanswered("half-open", .halfOpen(), deliveries: 0),
        unanswered("half-open after", .halfOpen(.after), deliveries: 1),
        unanswered("an endless delay", .delay(.never), deliveries: 1),
        unanswered("a goaway for the stream before", .goAway(lastStream: .previous), deliveries: 0),
        unanswered("a goaway in place of the answer", .goAway(closing: .now), deliveries: 1),
    ]

    // MARK: The end of the connection

    /// The first push is answered, and the connection ends before the second one.
    private static func ended(_ name: String, _ fault: GatewayFault) -> FaultCase {
        FaultCase(
            name, fault, forDevice: false, identity: .pass, push: .fail, deliveries: 0, failed: ["push-accepted"])
    }

    private static let goAways: [FaultCase] = [
        ended("a goaway", .goAway()), ended("two goaways", .goAway(isTwice: true)),
        ended("a goaway for all streams", .goAway(lastStream: .all)),
        ended("a goaway after which the socket stays open", .goAway(closing: .never)),
        unknown("a goaway for the stream before", .goAway(lastStream: .previous)),
        unknown("a goaway in place of the answer", .goAway(closing: .now)),
        FaultCase(
            "a goaway that refuses the certificate", .goAway(.badCertificate, lastStream: .previous, closing: .now),
            forDevice: false, identity: .fail, push: .skip, deliveries: 0, failed: ["identity"]),
    ]

    /// All is well.
    private static func sound(
        _ name: String, _ fault: GatewayFault, forDevice: Bool = false, deliveries: Int = 1
    ) -> FaultCase {
        FaultCase(
            name, fault, forDevice: forDevice, identity: .pass, push: .pass, deliveries: deliveries, failed: [])
    }

    private static let goAwaysForDevice: [FaultCase] = [
        sound("a goaway behind the answer", .goAway(), forDevice: true),
        sound("two goaways behind the answer", .goAway(isTwice: true), forDevice: true),
        sound("a goaway for all streams", .goAway(lastStream: .all), forDevice: true),
        sound("a goaway after which the socket stays open", .goAway(closing: .never), forDevice: true),
    ]

    private static let ofConnections: [FaultCase] = [
        // The second request, or its body, has to wait for ever.
        ended("a window of no byte", .window(0)), ended("no stream", .maximumConcurrentStreams(0)),
        sound("a window of 8 bytes", .window(8)), sound("one stream", .maximumConcurrentStreams(1)),
        FaultCase(
            "TLS that never begins", .slowAccept(.never), forDevice: false, identity: .skip, push: .skip,
            deliveries: 0, failed: ["tls-handshake"]),
    ]

    private static let slow: [FaultCase] = [
        sound("TLS that begins late", .slowAccept(.fixed(.milliseconds(300)))),
        sound("a delay", .delay(.milliseconds(300))), sound("a slow body", .slowBody(.fixed(.milliseconds(200)))),
        // The head is the answer.
        sound("an endless body", .slowBody(.never), forDevice: true),
    ]

    // MARK: Behind the gateway

    /// No server sees what becomes of a push that was accepted.
    private static let ofDevices: [FaultCase] = [
        sound("a push that is lost", .lose, deliveries: 0),
        sound("a push that comes three times", .duplicate(3), deliveries: 3),
        sound("a device that goes offline", .offline(), deliveries: 0),
        sound("an app that is removed, which is not known yet", .uninstall(noticedAfter: .never), deliveries: 0),
    ]
}
