public import EventDelivery
import Foundation
public import PushDispatch

/// Reports what happens in an app and who uses it to the service that makes the decisions.
///
/// ```swift
/// let client = PersonalizationClient(configuration: configuration, queue: queue, storage: storage)
/// try await client.start()
/// ```
///
/// Calls are carried out one after the other, in their order. What the library itself has to report (identity, life cycle) is
/// stored together with the change that it reports, so that the end of the process loses nothing in between; an event can be
/// in the queue twice then, with the same id, and the service drops the repeat.
public actor PersonalizationClient {
    public nonisolated let configuration: PersonalizationConfiguration
    let queue: EventQueue
    let decisions: DecisionClient?
    private let storage: any PersonalizationStorage
    let clock: any DispatchClock
    private let makeID: @Sendable () -> String
    private let onReport: @Sendable (PersonalizationReport) -> Void

    private var loaded: PersonalizationCore?
    /// What the client for decisions was told.
    var toldIdentity: IdentitySnapshot?
    var toldConsent: ConsentState?
    private let serial = SerialQueue()

    /// - Parameters:
    ///   - queue: Has the destination of ``destination(_:transport:)``, and gives events their ids and times.
    ///   - decisions: Nil for an app that only reports. It belongs to this client, which tells it who uses the app.
    ///   - clock: For how long the app is in the background. It must go on while the device sleeps.
    ///   - makeID: A new id of a device or a session.
    ///   - onReport: Called in order, inside the actor; it should return quickly.
    public init(
        configuration: PersonalizationConfiguration, queue: EventQueue, storage: any PersonalizationStorage,
        decisions: DecisionClient? = nil, clock: any DispatchClock = SystemDispatchClock(),
        makeID: @escaping @Sendable () -> String = PersonalizationClient.randomID,
        onReport: @escaping @Sendable (PersonalizationReport) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.queue = queue
        self.storage = storage
        self.decisions = decisions
        self.clock = clock
        self.makeID = makeID
        self.onReport = onReport
    }

    /// 32 hexadecimal digits.
    public static let randomID: @Sendable () -> String = {
        UUID().uuidString.lowercased().filter { $0 != "-" }
    }

    /// The destination that the queue needs for this client.
    public static func destination(
        _ configuration: PersonalizationConfiguration, transport: any EventTransport
    ) -> EventDestination {
        EventDestination(configuration.destination, policy: configuration.delivery, transport: transport)
    }

    // The order of calls.

    /// Carries out one call after the other, with the moment at which it was made.
    func perform<Value: Sendable>(
        _ body: (PersonalizationCore.Moment) async throws(PersonalizationError) -> Value
    ) async throws(PersonalizationError) -> Value {
        let moment = PersonalizationCore.Moment(
            clock: clock.now(), stamp: queue.stamp(), makeStamp: queue.stamp, makeID: makeID)
        let result: Result<Value, PersonalizationError> = await serial {
            do throws(PersonalizationError) { return .success(try await body(moment)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    // The state.

    /// Who uses the app, once the state is loaded.
    var loadedIdentity: IdentitySnapshot? { loaded?.identity }

    /// Loads the state if no call has done it yet.
    func open(at moment: PersonalizationCore.Moment) throws(PersonalizationError) {
        guard loaded == nil else { return }
        var state: PersonalizationState?
        var damage: String?
        do {
            if let found = try storage.load() {
                damage = found.setAside
                state = found.bytes.flatMap { try? JSONDecoder().decode(PersonalizationState.self, from: Data($0)) }
                if state == nil, damage == nil { damage = "" }
            }
        } catch {
            throw PersonalizationClient.reading(error)
        }
        var core = PersonalizationCore(state, configuration, at: moment)
        // Nothing may be reported under an id that the next process does not know.
        try save(core.state)
        core.isDirty = false
        loaded = core
        if let damage { onReport(.stateDamaged(setAside: damage)) }
    }

    /// Reads or changes the state. What the change reports goes into the state's outbox.
    func change<Value>(
        at moment: PersonalizationCore.Moment,
        _ body: (inout PersonalizationCore) throws(PersonalizationError) -> Value
    ) throws(PersonalizationError) -> Value {
        try open(at: moment)
        guard var core = loaded else { throw PersonalizationError(.storage, "the state is not loaded") }
        // Only one owner, or its collections are copied.
        loaded = nil
        defer { loaded = core }
        return try body(&core)
    }

    /// Stores the state if it has changed. After a failure it is stored with the next change.
    func store() -> PersonalizationError? {
        guard let core = loaded, core.isDirty else { return nil }
        do throws(PersonalizationError) {
            try save(core.state)
            loaded?.isDirty = false
            return nil
        } catch {
            onReport(.stateNotStored(error))
            return error
        }
    }

    /// Stores the state, and passes what waits in its outbox to the queue.
    ///
    /// What cannot be stored is not passed on: the service would know of a change that the next process does not.
    ///
    /// - Throws: `storage`. Everything holds in this process, and is tried again with the next call.
    func settle() async throws(PersonalizationError) {
        for event in loaded?.takeExcess() ?? [] {
            report(event, PersonalizationError(.notKept, "too many events wait for a queue that cannot be written"))
        }
        if let failure = store() { throw failure }
        try await drain()
    }

    /// Passes what waits in the outbox to the queue, once it is stored.
    func drain() async throws(PersonalizationError) {
        if loaded?.firstOfOutbox != nil, let failure = store() { throw failure }
        var failure: PersonalizationError?
        while failure == nil, let event = loaded?.firstOfOutbox {
            do throws(CaptureError) {
                if let captured = event.captured(to: configuration.destination) { try await queue.capture(captured) }
                loaded?.queuedFirstOfOutbox()
            } catch {
                let reason = PersonalizationError(error, event.kind)
                if error.reason == nil {
                    failure = reason
                } else {
                    loaded?.removeFirstOfOutbox()
                    refused(event, reason)
                }
            }
        }
        _ = store()
        if let failure {
            onReport(.stateNotStored(failure))
            throw failure
        }
    }

    private func refused(_ event: OutgoingEvent, _ error: PersonalizationError) {
        // The person is told when it may be, or when there is space.
        if event.isProfile { loaded?.refusedIdentity() }
        if error.code != .consent || !event.isProfile { report(event, error) }
    }

    func report(_ event: OutgoingEvent, _ error: PersonalizationError) {
        onReport(.notKept(kind: event.kind, error))
    }

    private func save(_ state: PersonalizationState) throws(PersonalizationError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            try storage.save(Array(try encoder.encode(state)))
        } catch {
            throw PersonalizationClient.reading(error)
        }
    }

    private static func reading(_ error: any Error) -> PersonalizationError {
        error as? PersonalizationError
            ?? PersonalizationError(.storage, "the storage of the state failed with \(type(of: error))")
    }
}
