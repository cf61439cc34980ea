/// How the backlog of a `BacklogPlan` grew and went.
package struct BacklogReport: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        /// The minute at whose end it was counted, from 1.
        package let minute: Int
        /// Whether the gateway failed then.
        package let isFailing: Bool
        /// Pushes that no worker has reserved, or that wait in one.
        package let ready: Int
        /// Those that are scheduled for later.
        package let later: Int
        package let inFlight: Int
        /// Pushes that were accepted since the row before, requests for pushes that the gateway got, and attempts to connect.
        package let accepted: Int
        package let attempts: Int
        package let connects: Int
    }

    package internal(set) var rows: [Row] = []
    package internal(set) var arrived = 0
    /// Those that arrived before the gateway was back.
    package internal(set) var arrivedBeforeRecovery = 0
    /// How long after the gateway was back the backlog was gone, in milliseconds: all of these were accepted, and no more waited
    /// than what arrives in a second. Nil where it did not go.
    package internal(set) var drained: Int64?
    /// How long after the gateway was back the last of these of the lane `high` was accepted, and of the lane `normal`; nil where
    /// one was not accepted.
    package internal(set) var lastHigh: Int64?
    package internal(set) var lastNormal: Int64?
    /// Requests for pushes that the gateway got, and the most for one push.
    package internal(set) var attempts = 0
    package internal(set) var mostAttempts = 0
    package internal(set) var connects = 0
    /// Pushes that were not accepted, and pushes that were accepted once more.
    package internal(set) var lost = 0
    package internal(set) var doubles = 0
    /// What the queue and the workers had left at the end, after arrivals had stopped.
    package internal(set) var left = 0

    package var isGood: Bool { drained != nil && lost == 0 && doubles == 0 && left == 0 }
}
