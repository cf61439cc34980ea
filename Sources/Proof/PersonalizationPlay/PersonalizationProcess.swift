import AppPlay
import EventDelivery
import Foundation
import Personalization
import PushDispatch

/// A process of an app that uses the library.
struct PersonalizationProcess {
    let process: PlayProcess
    let events: PlayedEventStore
    let configuration: PersonalizationConfiguration
    let client: PersonalizationClient
    let handler: PushOpenedHandler<DeepLinkRoute>

    /// What a process has around it.
    struct Surroundings {
        let loop: PlayLoop
        let service: PersonalizationEndpoint
        let transport: any DecisionTransport
        let files: PlayedFiles
        let wallClock: @Sendable () -> EventTime
        let isOnline: Bool
        let onReport: @Sendable (QueueReport) -> Void
        let show: @Sendable (OpenedPush, Result<FetchedDecisions, any Error>) -> Void
    }

    /// Starts the process, and brings the app to the front.
    static func start(
        _ setup: PersonalizationSetup, in around: Surroundings
    ) async throws(PersonalizationError) -> PersonalizationProcess {
        let configuration = try setup.configuration(around.service)
        let process = PlayProcess(around.loop)
        let events = PlayedEventStore(FileEventStore(file: around.files.path("events")))
        do throws(PersonalizationError) {
            return try await start(setup, configuration, process, events, in: around)
        } catch {
            process.end()
            events.end()
            throw error
        }
    }

    private static func start(
        _ setup: PersonalizationSetup, _ configuration: PersonalizationConfiguration, _ process: PlayProcess,
        _ events: PlayedEventStore, in around: Surroundings
    ) async throws(PersonalizationError) -> PersonalizationProcess {
        let (wallClock, tasks) = (around.wallClock, process.tasks)
        let http = PlayedTransport(process: process, transport: around.transport)
        let decisions = DecisionClient(
            setup.decisions(configuration), transport: http,
            store: PlayedDecisionStore(around.files, "decisions", process), clock: process, wallClock: wallClock,
            tasks: tasks, onEvent: { _ in })
        let queue = EventQueue(
            store: events,
            destinations: [
                PersonalizationClient.destination(
                    configuration,
                    transport: PersonalizationEventTransport(configuration, http: http, wallClock: wallClock))
            ],
            clock: process, makeStamp: { EventStamp(id: EventID(), time: wallClock()) },
            // Without the random part of a wait a script has the same course each time.
            random: { 0 }, tasks: tasks, onReport: around.onReport)
        let client = PersonalizationClient(
            configuration: configuration, queue: queue,
            storage: PlayedStorage(around.files, process), decisions: decisions, clock: process)
        await client.networkChanged(isOnline: around.isOnline)
        try await client.start()
        try await client.didBecomeActive()
        let show = around.show
        let handler = try await client.pushOpenedHandler(
            rules: setup.pushes, store: PlayedDecisionStore(around.files, "opened", process), tasks: tasks,
            navigate: { _, _ in }, show: { push, result in show(push, result) })
        return PersonalizationProcess(
            process: process, events: events, configuration: configuration, client: client, handler: handler)
    }

    /// Ends it at once: whatever it still does has no effect.
    func end() {
        process.end()
        events.end()
    }
}
