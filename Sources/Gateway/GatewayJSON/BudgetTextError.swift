/// Why a budget that a user wrote cannot be used, as a sentence that names what is accepted.
package struct BudgetTextError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}
