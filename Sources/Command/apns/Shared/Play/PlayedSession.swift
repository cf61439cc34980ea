import AppPlay
import Foundation

/// Plays a script with an app that has a private folder, which is removed at the end.
enum PlayedSession {
    static func play<App: PlayedApp>(
        _ options: ScriptOptions, steps: [PlayStep<App.Action>]?, expectations: [PlayExpectation]?, on loop: PlayLoop,
        _ makeApp: (_ folder: URL) -> App
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apns-play-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandError("no folder for the app's files can be made at \(folder.path); set TMPDIR to another one")
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        let run = PlayRun(makeApp(folder), on: loop)
        let script = ScriptRun(options: options, steps: steps, expectations: expectations, run: run)
        let result: Result<ExitStatus, CommandError>
        do throws(CommandError) { result = .success(try await script.play()) } catch { result = .failure(error) }
        await run.end()
        try result.get().end()
    }
}
