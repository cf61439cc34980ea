import Testing

@testable import SelectiveSync

struct UserSessionsTests {
    private var sessions = UserSessions()

    @Test mutating func `the first log-in belongs to the session that a push started`() {
        let session = sessions.current
        #expect(session.user == nil && !sessions.isLoggedOut && sessions.allowsRequests)
        sessions.loggedIn("ada")
        #expect(sessions.isCurrent(session) && sessions.current.user == "ada")
    }

    @Test mutating func `a reset ends the session and is counted`() {
        let session = sessions.current
        sessions.endCurrent()
        #expect(!sessions.isCurrent(session) && sessions.resets == 0)
        let next = sessions.current
        sessions.reset()
        #expect(!sessions.isCurrent(next) && sessions.resets == 1)
    }

    @Test mutating func `no request is allowed during a change and after a log-out`() {
        sessions.beginChange()
        sessions.beginChange()
        sessions.endChange()
        #expect(sessions.isChanging && !sessions.allowsRequests)
        sessions.endChange()
        #expect(sessions.allowsRequests)
        sessions.loggedOut()
        #expect(sessions.isLoggedOut && sessions.current.user == nil && !sessions.allowsRequests)
        sessions.loggedIn("ada")
        #expect(!sessions.isLoggedOut && sessions.allowsRequests)
    }
}
