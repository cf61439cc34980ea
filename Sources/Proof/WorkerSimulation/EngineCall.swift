import APNSModel
import PushQueue

/// A call of the engine by a worker of a `WorkerWorld`.
struct EngineCall {
    enum Kind { case reserve, extend, settle }

    enum Body {
        case reserve([LaneDemand])
        case extend([JobID])
        case settle([Settlement])
    }

    enum Answer {
        case reserved(Reservation, asked: [LaneDemand])
        case extended([JobID], lost: [JobID])
        case settled([SettlementResult])
    }

    let body: Body
    /// When it was made, by the worker's clock.
    let start: MonotonicTime
    /// When its answer comes.
    let at: Int64
    /// Whether the engine does not get it.
    let isLost: Bool
    let isAnswerLost: Bool
    /// Whether the engine gets it twice.
    let isRepeated: Bool
    /// Nil until the engine has carried it out.
    var answer: Answer?

    var kind: Kind {
        switch body {
        case .reserve: .reserve
        case .extend: .extend
        case .settle: .settle
        }
    }
}
