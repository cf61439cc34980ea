/// Why a budget is invalid; the description says what is accepted.
package struct BudgetTextError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}
