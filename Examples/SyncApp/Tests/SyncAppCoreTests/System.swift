import Foundation
import PushDispatch
import SelectiveSync

/// Keychain, preferences and files of the device. Before the first unlock after a restart they cannot be read.
///
/// Unchecked, because the lock protects the rest.
final class Disk: TokenStorage, RegistrationStorage, @unchecked Sendable {
    struct Locked: Error {}

    private let lock = NSLock()
    private var locked = false
    private var tokens: OAuthTokens?
    private var registrations: [String: RecordID] = [:]

    var isLocked: Bool { lock.withLock { locked } }

    func setLocked(_ locked: Bool) { lock.withLock { self.locked = locked } }

    func keep(_ tokens: OAuthTokens?) { lock.withLock { self.tokens = tokens } }

    private func read<Value>(_ look: (Disk) -> Value) throws -> Value {
        try lock.withLock {
            guard !locked else { throw Locked() }
            return look(self)
        }
    }

    func load() throws -> OAuthTokens? { try read { $0.tokens } }

    func save(_ tokens: OAuthTokens) throws { try read { $0.tokens = tokens } }

    func clear() throws { try read { $0.tokens = nil } }

    func registration(of user: String) throws -> RecordID? { try read { $0.registrations[user] } }

    func save(_ id: RecordID?, of user: String) throws { try read { $0.registrations[user] = id } }
}

/// The system's answers to the app. The user answers the question for permission when a test says so.
actor System: PushSystem {
    private(set) var isRegistered = false
    private(set) var questions = 0
    private var answer: Bool?
    private var waiting: CheckedContinuation<Bool, Never>?
    private var watching: [CheckedContinuation<Void, Never>] = []

    func registerForRemoteNotifications() { isRegistered = true }

    func requestAuthorization() async throws -> Bool {
        questions += 1
        for watcher in watching { watcher.resume() }
        watching = []
        if let answer { return answer }
        return await withCheckedContinuation { waiting = $0 }
    }

    /// Returns when the question is on the screen.
    func asked() async {
        if questions == 0 { await withCheckedContinuation { watching.append($0) } }
    }

    func userAnswers(_ isGranted: Bool) {
        answer = isGranted
        waiting?.resume(returning: isGranted)
        waiting = nil
    }
}
