import Foundation
import OrgSimulator
import PushDispatch
import SelectiveSync

/// The user's session with the org.
extension AppProcess {
    static func session(_ device: AuditedDevice, _ clock: ProcessClock, _ http: SimulatedHTTP) -> OAuthSession {
        let address = URL(string: "https://login.example.com/services/oauth2/token")
        do {
            return try OAuthSession(
                OAuthApp(tokenAddress: address ?? URL(fileURLWithPath: "/"), clientID: SimulatedOrg.clientID),
                storage: FaultyKeychain(device, clock), http: http, tasks: device.run.executor.tasks,
                onEvent: { event in
                    if event == .logInNeeded, clock.isRunning { device.process?.logInNeeded() }
                })
        } catch {
            preconditionFailure("the token address is https: \(error)")
        }
    }

    /// Only the user can get a new session. Sometimes that takes a while.
    private func logInNeeded() {
        let account = device.account
        run.trace("\(device.name) needs a new log-in")
        run.noteFault()
        run.timeline.after(Int64(run.pick([50, 5_000, 120_000, 3_600_000]) ?? 50)) { [weak self] in
            guard let self, clock.isRunning, let account else { return }
            start { [self] in
                guard device.account == account, !isSwitching else { return }
                await openSession(for: account)
                guard clock.isRunning, device.network != .offline else { return }
                await drain(within: 20_000)
            }
        }
    }

    /// Gets a new session where the stored one can no longer be renewed.
    func restoreSession() {
        ready { [self] in
            guard let account = device.account, device.tokens?.refreshToken.map(run.org.renews) != true else { return }
            start { [self] in await openSession(for: account) }
        }
    }

    /// Logs in at the org, and stores the tokens.
    func openSession(for user: RecordID) async {
        while clock.isRunning, device.account == user {
            let tokens = run.org.logIn(user, at: run.orgNow)
            do {
                return try await session.logIn(AppProcess.tokens(tokens.accessToken, tokens.refreshToken, user))
            } catch {
                await clock.pass(500)
            }
        }
    }

    /// Ends the session on this device and in the org.
    func closeSession() async {
        if let token = device.tokens?.refreshToken { run.org.endLogIn(token) }
        while clock.isRunning {
            do {
                return try await session.logOut()
            } catch {
                await clock.pass(500)
            }
        }
    }

    private static func tokens(_ access: String, _ refresh: String?, _ user: RecordID) -> OAuthTokens {
        OAuthTokens(
            instance: URL(string: SimulatedOrg.address) ?? URL(fileURLWithPath: "/"), accessToken: access,
            refreshToken: refresh, identity: "\(SimulatedOrg.address)/id/00Dxx0000000001EAA/\(user)")
    }
}
