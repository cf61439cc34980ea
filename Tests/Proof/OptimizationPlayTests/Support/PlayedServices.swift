import AppPlay
import Foundation
import Optimization
import OptimizationSimulator
import PushDispatch
import RepositoryFiles
import ServiceHost
import TestSupport
import Testing

@testable import OptimizationPlay

/// 2026-05-08T09:15:30.120Z
let morning: Int64 = 1_778_231_730_120

/// The optimization services over loopback on a manual clock, and an app that plays scripts against them.
final class PlayedServices: Sendable {
    let server: OptimizationServer
    let run: PlayRun<PlayedOptimization>

    private init(_ server: OptimizationServer, _ run: PlayRun<PlayedOptimization>) {
        self.server = server
        self.run = run
    }

    /// - Parameter document: The name of a document in Examples/optimization, or its text; nil for the standard one.
    static func with(
        _ document: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (PlayedServices) async throws -> Void
    ) async throws {
        var configuration = OptimizationSimulator.OptimizationConfiguration.standard(seed: 1)
        if let document {
            let read = OptimizationDocument(Array(document.utf8), name: "services.yaml", seed: 1) { name in
                Array(try Repository.text("Examples/optimization/\(name)").utf8)
            }
            #expect(read.errors.isEmpty, "\(read.errors)", sourceLocation: sourceLocation)
            configuration = read.configuration
        }
        let endpoint = configuration
        let server = try await OptimizationServer.start(
            OptimizationWorld(configuration, clock: .manual(at: morning)), OptimizationServer.Options())
        try await withTemporaryFolder { folder in
            let loop = PlayLoop(takesMainActor: true)
            let app = PlayedOptimization(
                OptimizationEndpoint(
                    url: server.url, clientID: endpoint.clientID, environment: endpoint.environment,
                    space: endpoint.space, accessToken: endpoint.accessToken, milliseconds: morning),
                folder: folder, on: loop)
            let played = PlayedServices(server, PlayRun(app, on: loop))
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(played))
            } catch {
                result = .failure(error)
            }
            await played.run.end()
            await server.stop()
            try result.get()
        }
    }

    /// Plays lines, and returns the result of each step.
    @discardableResult
    func play(_ script: String) async throws -> [PlayResult] {
        var results: [PlayResult] = []
        for line in script.split(separator: "\n") {
            guard let step = try PlayStep<OptimizationAction>.read(Array(line.utf8)) else { continue }
            results.append(try #require(await run.perform(step, number: results.count + 1)))
        }
        return results
    }

    /// The result of the last step.
    func last(_ script: String) async throws -> JSONValue { try #require(try await play(script).last).json }

    /// Whether a fault waits for requests that it affects.
    var hasFaults: Bool { server.read { !$0.service.faults.rules.isEmpty } }

    /// What the services have stored, by type.
    func kinds(_ queue: ProfileEventLog.Queue) -> [String] {
        server.read { world in
            world.service.events.entries.filter { $0.queue == queue }.map { $0.event.kind.rawValue }
        }
    }
}

extension JSONValue {
    subscript(key: String) -> JSONValue? { object?[key] }
}
